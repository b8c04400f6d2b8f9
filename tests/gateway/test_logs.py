"""The form of the log."""

import json
import subprocess
import sys

import pytest

PROGRAM = """
import logging, sys
import structlog
from gateway import logs

logs.configure(sys.argv[1])
structlog.get_logger().info("ours", depth=3)
logging.getLogger("library").warning("theirs %s", 1)
try:
    1 / 0
except ZeroDivisionError:
    structlog.get_logger().exception("broken")
"""


def _log(form: str) -> list[str]:
    """What the program logs in that form; in a process of its own, since logging is set up for all of it."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, form], capture_output=True, text=True, check=True)
    assert done.stdout == ""
    return done.stderr.splitlines()


def test_json_has_one_object_a_line() -> None:
    """Our lines and those of libraries have one form; a traceback stays within its line."""
    lines = [json.loads(line) for line in _log("json")]
    assert [line["event"] for line in lines] == ["ours", "theirs 1", "broken"]
    assert [line["level"] for line in lines] == ["info", "warning", "error"]
    assert lines[0]["depth"] == 3 and "ZeroDivisionError" in lines[2]["exception"]


@pytest.mark.parametrize("part", ["ours", "depth=3", "theirs 1", "ZeroDivisionError"])
def test_the_console_form_is_for_people(part: str) -> None:
    """All of it shows on the console, without colour codes where there is no terminal."""
    text = "\n".join(_log("console"))
    assert part in text and "\x1b" not in text
