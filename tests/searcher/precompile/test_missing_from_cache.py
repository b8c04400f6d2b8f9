"""The check of what a start would compile."""

from pathlib import Path

from tests.searcher.command_line import run
from tests.searcher.plugins.packages import GOOD, PACKAGE, path_with, unpack

CHECK = """
import sys

sys.path.insert(0, "")

from searcher.precompile import prepare
from tests.searcher.precompile.cheap_parts import CHEAP

prepare.all_codes = lambda only=(): CHEAP

if __name__ == "__main__":
    print(*prepare.missing_from_cache(), sep="\\n")
    for part in CHEAP:
        part.load()
    print("loaded", *prepare.missing_from_cache(), sep="\\n")
"""
"""A script to write to a file, because child processes import it again."""


def test_code_that_was_never_compiled_or_tried_is_missing(tmp_path: Path) -> None:
    """Each part has its line, and the check itself compiles nothing. Unreadable code is missing, too."""
    script = tmp_path / "check.py"
    script.write_text(CHECK)
    unpack(tmp_path / "site", GOOD, {"shy": f"{PACKAGE}.shy"})
    settings = {"PYTHONPATH": path_with(tmp_path / "site")}
    untried = "evaluator shy has not passed its trial"
    first = run(str(script), cache=tmp_path / "cache", settings=settings)
    assert first.stdout.splitlines() == [
        "paranoid/length for 2 snakes on 11x11 is not compiled",
        "paranoid/length for 4 snakes on 11x11 is not compiled",
        untried,
        "loaded",
        untried,
    ], first.stderr
    for file in (tmp_path / "cache").rglob("*.so"):
        file.write_bytes(b"")
    second = run(str(script), cache=tmp_path / "cache", settings=settings)
    assert "paranoid/length for 2 snakes on 11x11 is compiled again" in second.stdout.splitlines()
