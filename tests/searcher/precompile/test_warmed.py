"""Whether a start would compile anything."""

from pathlib import Path

from tests.searcher.commands import run

ASK = """
from searcher.precompile import warmed, warmup
from tests.searcher.precompile import cheap_parts

warmed.all_parts = warmup.all_parts = lambda only=(): cheap_parts.CHEAP

if __name__ == "__main__":
    {before}
    print(*warmed.not_warm(), sep="\\n")
"""
"""A file, because child processes read it again."""

SPOIL = """
import pathlib
for file in pathlib.Path({cache!r}).rglob("*.nbc"):
    file.write_bytes(b"")
"""

COMPILE = "[part.load() for part in cheap_parts.CHEAP]"


def lacking(folder: Path, before: str = "") -> list[str]:
    """What is told to be lacking in a cache of its own."""
    script = folder / "ask.py"
    script.write_text("import sys\nsys.path.insert(0, '')\n" + ASK.format(before=before or "pass"))
    done = run(str(script), cache=folder / "cache")
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


def test_what_was_never_compiled_or_tried_is_lacking(tmp_path: Path) -> None:
    """It is told part by part, and none of it is compiled by asking."""
    told = lacking(tmp_path)
    assert told[:2] == [f"paranoid/length for {n} snakes on 11x11 is not compiled" for n in (2, 4)]
    assert "evaluator length has not passed its trial" in told
    assert lacking(tmp_path) == told


def test_what_is_warm_is_not_lacking(tmp_path: Path) -> None:
    """What another process has compiled is there; code that can't be read is not."""
    lacking(tmp_path, COMPILE)
    assert not [line for line in lacking(tmp_path) if "compiled" in line]
    (tmp_path / "spoil.py").write_text(SPOIL.format(cache=str(tmp_path / "cache")))
    assert run(str(tmp_path / "spoil.py")).returncode == 0
    assert "paranoid/length for 2 snakes on 11x11 is compiled again" in lacking(tmp_path)
