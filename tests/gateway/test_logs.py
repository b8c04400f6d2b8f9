"""The format of the log."""

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
    """Return the lines that the program logs, in its own process, since logging is configured globally."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, form], capture_output=True, text=True, check=True)
    assert done.stdout == ""
    return done.stderr.splitlines()


def test_json_has_one_object_a_line() -> None:
    """Our log lines and those of libraries have one format; a traceback is part of its line."""
    lines = [json.loads(line) for line in _log("json")]
    assert [line["event"] for line in lines] == ["ours", "theirs 1", "broken"]
    assert [line["level"] for line in lines] == ["info", "warning", "error"]
    assert lines[0]["depth"] == 3 and "ZeroDivisionError" in lines[2]["exception"]


@pytest.mark.parametrize("part", ["ours", "depth=3", "theirs 1", "ZeroDivisionError"])
def test_the_console_format_is_for_people(part: str) -> None:
    """The console format has all parts, and no colour codes without a terminal."""
    text = "\n".join(_log("console"))
    assert part in text and "\x1b" not in text
