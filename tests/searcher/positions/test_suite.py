"""Suite files: positions with moves to avoid and losses not to claim."""

import json
from pathlib import Path
from typing import Any

import pytest

from searcher.engine.live_board import LiveGame
from searcher.engine.position import Direction
from searcher.positions.move_body import position_in
from searcher.positions.suite import SUITE, SuitePosition, read_suite
from searcher.tools.move_body_check import checked_task

ENTRIES = read_suite(SUITE)


def line(**changes: Any) -> str:
    """Return the first line of the project's own suite, with some fields changed."""
    return json.dumps({**json.loads(SUITE.read_text().splitlines()[0]), **changes})


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_a_position_of_the_projects_own_suite_is_fair(entry: SuitePosition) -> None:
    """It is valid, the reason is a sentence, and a move that is no collision with a body or a wall passes."""
    checked_task(entry)
    assert entry.why[0].isupper()
    assert entry.why.endswith(".")
    safe = {direction.name.lower() for direction in Direction if survives(entry, direction)}
    assert safe - set(entry.avoid)
    assert set(entry.avoid) <= safe, "a wall and a body need not be listed"


def survives(entry: SuitePosition, direction: Direction) -> bool:
    """Return whether our snake survives a move while every opponent runs out of the board's way.

    The opponents turn on their own necks, so only walls, bodies and starvation kill our snake.
    """
    position = position_in(entry)
    game = LiveGame(position)
    moves = {snake.id: neck_of(snake.body) for snake in position.snakes}
    return entry.you.id not in game.play({**moves, entry.you.id: direction})


def neck_of(body: tuple[tuple[int, int], ...]) -> Direction:
    """Return the direction from a head to its neck."""
    (x, y), (neck_x, neck_y) = body[:2]
    return {
        (0, 1): Direction.UP,
        (0, -1): Direction.DOWN,
        (-1, 0): Direction.LEFT,
        (1, 0): Direction.RIGHT,
    }[neck_x - x, neck_y - y]


@pytest.mark.parametrize(
    ("second", "error"),
    [
        (
            line(name="two", avoid=["north"]),
            "line 2: avoid: 'north' is not a move; valid: up, down, left, right",
        ),
        (
            line(name="two", avoid=["up", "down", "left", "right"]),
            "line 2: avoid: has every move; leave one out",
        ),
        (
            line(name="two", avoid=[], not_lost=False),
            "line 2: the position expects nothing; give avoid or not_lost",
        ),
        (line(name="two", avoids=["up"]), "line 2: Object contains unknown field `avoids`"),
        (line(), "line 2: name: 'despair-a-40' is also the name of line 1"),
    ],
)
def test_an_invalid_line_is_named(second: str, error: str, tmp_path: Path) -> None:
    """The error names the line, the field and what is valid."""
    file = tmp_path / "suite.jsonl"
    file.write_text(f"{line()}\n{second}\n")
    with pytest.raises(ValueError) as raised:
        read_suite(file)
    assert str(raised.value).startswith(f"suite.jsonl, {error}")


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    """A suite without positions would always pass."""
    file = tmp_path / "suite.jsonl"
    file.touch()
    with pytest.raises(ValueError, match=r"suite\.jsonl has no positions"):
        read_suite(file)
