"""The words of a review: the story of a lost game on small boards, and the sentences of a review."""

import msgspec
import pytest

from console.reviews.review import story, summary_of
from console.store.values import Cell, Death, Game, GameSnake, Placed, Turn
from tests.console.reviews.samples import compared, lost
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


@pytest.mark.parametrize(
    ("lost_at", "seen_at", "told"),
    [
        (10, 10, "After it, no other move would have helped: a search at depth 8 proves the loss."),
        (
            10,
            12,
            "After it, no other move would have helped. "
            "A search at depth 8 proves the loss only after the move of turn 12.",
        ),
        (10, None, "After it, no other move would have helped."),
        (None, 12, "A search at depth 8 proves the loss after the move of turn 12."),
    ],
)
def test_a_review_names_one_turn_from_which_the_game_was_lost(
    lost_at: int | None, seen_at: int | None, told: str
) -> None:
    """The losing turn has the last move that mattered. The proof is of this move or of a later one."""
    turns = [compared(9, 0.1, 0.0), compared(10, -1.0, 0.25), compared(11, -1.0, -1.0)]
    depth = None if seen_at is None else 8
    review = lost("wall", turns=turns, lost_at=lost_at, seen_at=seen_at, seen_depth=depth, story="trapped")
    beginning = "Turn 10 lost the game: up was played, and left still held. " if lost_at else ""
    end = "" if lost_at else " None of 3 moves was a blunder."
    assert summary_of(review) == f"{beginning}{told} The snake was trapped.{end}"
