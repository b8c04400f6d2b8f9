"""The story of a lost game, on small boards."""

import msgspec
import pytest

from console.reviews.story import story
from console.store.values import Cell, Death, Game, GameSnake, Placed, Turn
from tests.console.web.script import duel

SNAKES = [GameSnake("a", "Ann"), GameSnake("b", "Bob")]


def game(*turns: tuple[str, str | None], health: int = 50) -> Game:
    """Return a game on 5x5 from turn 7 on, from the cells of both snakes: "11 12" has its head at 1, 1."""
    boards = [
        Turn(7 + place, [], [], [_placed(first, health), _placed(second, 90)], [], [None, None])
        for place, (first, second) in enumerate(turns)
    ]
    return msgspec.structs.replace(duel(), width=5, height=5, snakes=SNAKES, turns=boards)


def _placed(cells: str | None, health: int) -> Placed | None:
    body: list[Cell] = [(int(cell[0]), int(cell[1])) for cell in (cells or "").split()]
    return Placed(body, health) if body else None


FREE = "10 11 12 13 14 24 34 44"
"""A snake along the second column, whose head can turn into the first column or to the right."""

CAUGHT = "00 10 11 12 13 14 24 34"
"""The same snake after a step to the left."""


def test_a_snake_in_too_little_room_was_trapped() -> None:
    """The story has the room, the length, and the room that the other move kept."""
    told = story(game((FREE, None), (CAUGHT, None)), 0, None, 7, "right")
    assert told == "trapped from turn 8 on: 4 cells for 8 parts; right on turn 7 kept 13"


@pytest.mark.parametrize("cause", ["out-of-health", "hazard"])
def test_a_snake_without_health_was_hungry(cause: str) -> None:
    """The story has the health on the losing turn."""
    lost = game((FREE, None), health=3)
    assert story(lost, 0, Death(0, cause), 7, "right") == "out of health, with 3 points left on turn 7"


def test_a_head_to_head_has_both_lengths() -> None:
    """The story names the longer snake."""
    lost = game(("11 12", "33 34 44"))
    told = story(lost, 0, Death(0, "head-collision", 1), 7, "right")
    assert told == "beaten in a head-to-head by Bob, with 2 parts against 3 on turn 7"


def test_a_board_of_any_size_ends_the_count() -> None:
    """A stranger may name a board of 2**31 cells a side. Its room is not counted."""
    lost = msgspec.structs.replace(game((FREE, None), (FREE, None)), width=2**31 - 1, height=2**31 - 1)
    assert story(lost, 0, None, 7, "right") is None


def test_boards_may_explain_nothing() -> None:
    """There is no story of a snake with room, nor of a turn that was not seen."""
    lost = game(("11 12", "33 34 44"), ("10 11", "32 33 34"))
    assert story(lost, 0, Death(0, "wall-collision"), 7, "right") is None
    assert story(lost, 0, None, 6, "right") is None
