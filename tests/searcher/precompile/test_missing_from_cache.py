"""The check of what a start would compile."""

from pathlib import Path

from tests.searcher.command_line import run
from tests.searcher.plugins.packages import GOOD, PACKAGE, path_with, unpack

CHECK = """
from searcher.precompile import warmup
from tests.searcher.precompile import cheap_parts

warmup.all_codes = lambda only=(): cheap_parts.CHEAP

if __name__ == "__main__":
    {before}
    print(*warmup.missing_from_cache(), sep="\\n")
"""
"""A script to write to a file, because child processes import it again."""

COMPILE = "[part.load() for part in cheap_parts.CHEAP]"


def missing(folder: Path, before: str = "") -> list[str]:
    """Return the lines about what is missing from the folder's own cache, after the statement `before`.

    An evaluator of another package is installed.
    """
    script = folder / "check.py"
    script.write_text("import sys\nsys.path.insert(0, '')\n" + CHECK.format(before=before or "pass"))
    unpack(folder / "site", GOOD, {"shy": f"{PACKAGE}.shy"})
    settings = {"PYTHONPATH": path_with(folder / "site")}
    done = run(str(script), cache=folder / "cache", settings=settings)
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


def test_code_that_was_never_compiled_or_tried_is_missing(tmp_path: Path) -> None:
    """Each part has its line, and the check itself compiles nothing. Unreadable code is missing, too."""
    lines = missing(tmp_path)
    assert lines[:2] == [f"paranoid/length for {n} snakes on 11x11 is not compiled" for n in (2, 4)]
    assert lines[2:] == ["evaluator shy has not passed its trial"]
    missing(tmp_path, COMPILE)
    assert [line for line in missing(tmp_path) if "compiled" in line] == []
    for file in (tmp_path / "cache").rglob("*.so"):
        file.write_bytes(b"")
    assert "paranoid/length for 2 snakes on 11x11 is compiled again" in missing(tmp_path)
