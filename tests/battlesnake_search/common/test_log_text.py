"""The text of events for people."""

from typing import Any

import pytest

from battlesnake_search.common.logs import COLUMNS, Layout, TextRenderer

GAME = "15d45165-96ad-4a6a-b2d4-0c7c5b6d0a11"


def _line(event: str, level: str = "info", layout: Layout | None = None, **fields: Any) -> str:
    """Return the text of an event, without colours."""
    renderer = TextRenderer({event: layout} if layout else {}, colored=False)
    return renderer(None, level, {**fields, "event": event, "level": level, "timestamp": "17:42:07"})


def test_fields_are_in_the_order_of_the_call() -> None:
    """Fields follow the event in the order in which they were given, quoted if they have spaces."""
    line = _line("routes in force", file="my routes.toml", snakes=["/b", "/a"], empty="")
    assert line == '17:42:07 routes in force  file="my routes.toml" snakes=/b,/a empty=""'


def test_an_event_without_fields_ends_with_its_name() -> None:
    """No spaces are left at the end."""
    assert _line("draining") == "17:42:07 draining"


def test_games_have_short_ids() -> None:
    """The game and its turn come first: of a UUID its first group, of another id its end."""
    assert _line("bad", game_id=GAME, turn=42, why="x") == "17:42:07 15d45165 t42  bad  why=x"
    assert _line("bad", game_id="compliance-game-17") == "17:42:07 -game-17      bad"
    assert _line("bad", game_id="g1", turn=1234) == "17:42:07 g1       t1234 bad"


@pytest.mark.parametrize("level", ["warning", "error", "critical"])
def test_severe_events_have_their_level(level: str) -> None:
    """The word comes before the game, so that it breaks the columns."""
    assert _line("bad", level, game_id=GAME, turn=3) == f"17:42:07 {level.upper()} 15d45165 t3   bad"


def test_a_layout_makes_the_text() -> None:
    """A layout gets the fields, among them those that no other format has."""
    line = _line("move", layout=lambda event: f"{event['move']} {event['text_only']['arms']}", move="up",
                 text_only={"arms": 2})  # fmt: skip
    assert line == "17:42:07 up 2"


def test_a_layouts_line_ends_at_the_last_column() -> None:
    """What is too long ends with an ellipsis. Warnings have their ends, and no wide gaps between columns."""
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


def test_a_traceback_follows_its_line() -> None:
    """The traceback keeps its own lines."""
    line = _line("broken", "error", exception="Traceback:\n  1/0")
    assert line == "17:42:07 ERROR broken\nTraceback:\n  1/0"


def test_a_terminal_shows_levels_in_colours() -> None:
    """With colours, a warning's word is in colour, and the words stay those of the plain line."""
    renderer = TextRenderer({}, colored=True)
    line = renderer(None, "", {"event": "bad", "level": "warning", "timestamp": "17:42:07"})
    assert "\x1b[33mWARNING" in line and line.endswith(" \x1b[0mbad")
