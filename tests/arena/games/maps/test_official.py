"""Starts and closing hazards, compared with those of the official engine."""

from pathlib import Path

import pytest

from arena.games import boards
from arena.records import Cell, Start
from tests.arena.games.maps.map_rules import rules_of, square
from tests.arena.games.maps.official_games import Board, cells, play
from tests.arena.outside_snake import Fault, OutsideSnake, every

OURS = range(250)
"""The seeds of our starts: enough to see every possible start."""

THEIRS = range(3)
"""The seeds of the engine's starts."""


def lost() -> OutsideSnake:
    """A snake that goes up until it dies, so that its games are short."""
    return OutsideSnake(every(1, Fault.WRONG_WORD))


def theirs(board: Board) -> tuple[list[Cell], list[Cell]]:
    """Heads and food of an engine's board, in its order."""
    heads = [(snake["head"]["x"], snake["head"]["y"]) for snake in board["snakes"]]
    return heads, cells(board["food"])


def ours(start: Start) -> tuple[list[Cell], list[Cell]]:
    """Heads and food of one of our starts, in its order."""
    return [body[0] for body in start.bodies], list(start.food)


@pytest.mark.parametrize(("side", "snakes"), [(7, 1), (7, 4), (7, 5), (9, 8), (11, 2), (11, 8), (19, 5)])
async def test_fixed_starts_are_the_engines(official_engine: Path, side: int, snakes: int) -> None:
    """The engine's heads and food are, snake by snake, among those of our seeds."""
    food_of: dict[Cell, set[Cell]] = {}
    groups = set()
    for heads, food in (ours(boards.set_up_board(square(side), snakes, seed)) for seed in OURS):
        groups.add(frozenset(heads[:4]))
        for head, own in zip(heads, food, strict=False):
            food_of.setdefault(head, set()).add(own)
    for seed in THEIRS:
        start, *_ = await play(official_engine, lost(), snakes, width=side, height=side, seed=seed)
        heads, food = theirs(start)
        assert frozenset(heads[:4]) in groups
        assert len(food) == len(boards.set_up_board(square(side), snakes, seed).food)
        assert food[-1] == ((side - 1) // 2,) * 2
        if len(food) > 1:
            assert all(own in food_of[head] for head, own in zip(heads, food[:-1], strict=True))


@pytest.mark.parametrize(("width", "height"), [(5, 5), (3, 3), (7, 11)])
async def test_starts_on_other_boards_are_like_the_engines(
    official_engine: Path, width: int, height: int
) -> None:
    """The engine's heads and amounts of food are among those of our seeds."""
    rules = rules_of(width=width, height=height)
    starts = [ours(boards.set_up_board(rules, 2, seed)) for seed in OURS]
    places = {head for heads, _ in starts for head in heads}
    amounts = {len(food) for _, food in starts}
    for seed in range(10):
        start, *_ = await play(official_engine, lost(), 2, width=width, height=height, seed=seed)
        heads, food = theirs(start)
        assert set(heads) <= places
        assert len(food) in amounts
