"""Logs as text and as JSON."""

import json
import re
import subprocess
import sys
from typing import Any

import pytest

from battlesnake_search.common.logs import COLUMNS, Layout, TextRenderer
from tests.support.terminal import COLORS, on_terminal

GAME = "15d45165-96ad-4a6a-b2d4-0c7c5b6d0a11"


def _line(event: str, level: str = "info", layout: Layout | None = None, **fields: Any) -> str:
    """Return the text of an event, without colours."""
    renderer = TextRenderer({event: layout} if layout else {}, colored=False)
    return renderer({**fields, "event": event, "level": level, "timestamp": "17:42:07"})


def test_a_layouts_line_ends_at_the_last_column() -> None:
    """A long text ends with an ellipsis. Warnings are complete, without wide gaps between columns."""
    info = _line("long", layout=lambda _: "word " * 50, game_id=GAME, turn=1)
    assert len(info) == COLUMNS and info.endswith("…")
    warning = _line("long", "warning", layout=lambda _: f"name{' ' * 20}{'word ' * 50}")
    assert len(warning) > 2 * COLUMNS and warning.endswith("word")
    assert warning.startswith("17:42:07 WARNING name  word word ")


def test_strangers_control_no_terminal() -> None:
    """Control characters in names and ids are escaped, so that an event stays one line."""
    line = _line("bad", game_id="\x1b[2J\n", snake="a\nb\x1b[31m", path="/\u202e", name="Größe 🐍")
    assert "\\n" in line and "\\x1b[31m" in line and "\\u202e" in line and "Größe 🐍" in line
    assert line.isprintable()


PROGRAM = """
import logging, sys
from battlesnake_search.common import logs

logs.configure(*sys.argv[1:])
logs.get_logger('test').debug("detail")
logs.get_logger('test').info("ours", depth=3, names=["a", "b"], why="no reason")
logging.getLogger("library").debug("flood")
logging.getLogger("library").warning("theirs %s", 1)
try:
    1 / 0
except ZeroDivisionError:
    logs.get_logger('test').exception("broken")
"""


def _run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True
    )


def _log(*arguments: str) -> list[str]:
    """Return the lines that the program logs."""
    done = _run(PROGRAM, *arguments)
    assert done.stdout == ""
    return done.stderr.splitlines()


def test_json_has_one_object_a_line() -> None:
    """Our log lines and the libraries' log lines have one format. A traceback is part of its line."""
    lines = [json.loads(line) for line in _log("json")]
    assert [line["event"] for line in lines] == ["ours", "theirs 1", "broken"]
    assert [line["level"] for line in lines] == ["info", "warning", "error"]
    assert list(lines[0]) == ["depth", "names", "why", "event", "level", "timestamp"]
    assert lines[0]["depth"] == 3 and "ZeroDivisionError" in lines[2]["exception"]


def test_text_has_one_line_for_each_event() -> None:
    """A line has the time of day, a warning's level, the event and its fields; a traceback follows it."""
    ours, theirs, broken, *trace = _log("text")
    assert re.fullmatch(r'\d\d:\d\d:\d\d ours  depth=3 names=a,b why="no reason"', ours)
    assert re.fullmatch(r"\d\d:\d\d:\d\d WARNING theirs 1", theirs)
    assert re.fullmatch(r"\d\d:\d\d:\d\d ERROR broken", broken)
    assert trace[0].startswith("Traceback") and trace[-1].startswith("ZeroDivisionError")


@pytest.mark.parametrize(
    ("level", "words"),
    [
        ("debug", ["detail", "ours", "theirs 1", "broken"]),
        ("error", ["broken"]),
    ],
)
def test_the_level_is_the_least_that_is_logged(level: str, words: list[str]) -> None:
    """Less severe events are left out, and libraries' events below a warning are never shown."""
    assert [json.loads(line)["event"] for line in _log("json", level)] == words


@pytest.mark.parametrize(
    ("settings", "colored"),
    [({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_colours_are_for_terminals_that_want_them(settings: dict[str, str], colored: bool) -> None:
    """A terminal gets colours unless NO_COLOR is set or the terminal has none; the words stay the same."""
    with on_terminal("-c", PROGRAM, "text", **settings) as lines:
        _, theirs, *_ = lines
    assert bool(COLORS.search(theirs)) is colored
    assert COLORS.sub("", theirs).endswith(" WARNING theirs 1")


UNWRITABLE = """
import logging, os, sys
from battlesnake_search.common import logs

reading, writing = os.pipe()
os.close(reading)
sys.stderr = open(writing, "w", buffering=1)
logs.configure("json")
for number in range(10_000):
    logs.get_logger('test').info("ours", number=number)
    logging.getLogger("library").warning("theirs")
print("done")
"""


def test_a_log_that_cannot_be_written_ends_nothing() -> None:
    """On a full disk or a closed pipe, log lines are dropped and the program continues."""
    done = subprocess.run([sys.executable, "-c", UNWRITABLE], capture_output=True, text=True)
    assert done.stdout == "done\n"


OF_A_REQUEST = """
import sys
from battlesnake_search.common import logs

logs.configure("json")
token = logs.bind(trace_id="t1", game_id="g" * 900_000)
logs.get_logger("test").info("one", game_id="own")
logs.get_logger("test").info("two", depth=3)
logs.unbind(token)
logs.get_logger("test").info("three")
"""


def test_events_of_a_request_have_its_fields() -> None:
    """An event's own fields have precedence and come first. Long values are cut."""
    one, two, three = map(json.loads, _run(OF_A_REQUEST).stderr.splitlines())
    assert [*one] == ["game_id", "event", "trace_id", "level", "timestamp"] and one["game_id"] == "own"
    assert [*two] == ["depth", "event", "trace_id", "game_id", "level", "timestamp"]
    assert two["trace_id"] == "t1" and len(two["game_id"]) < 1000
    assert [*three] == ["event", "level", "timestamp"]
