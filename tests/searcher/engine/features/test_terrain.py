"""The features of cells and bodies, against the same features in plain Python."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from searcher.engine.features.flood import NOWHERE, fill, reach
from searcher.engine.features.terrain import harm, longest_other, reaches_tail, walkable
from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.position import Point, Position, Ruleset
from searcher.engine.rules.board import free_cells
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import cell_of
from searcher.textbook.battlesnake import Board
from tests.searcher.engine.features.sets import CELLS, adjacent_cells, cells_for, free_of, walk
from tests.searcher.engine.positions import board_of, points, random_position, randoms, snake
from tests.searcher.engine.turns import call


@njit
def sector(game: Any, board: Any, snake: int) -> Any:
    """Return the cells that a snake can walk to if no other snake moves."""
    head = cells.one(board, "bodies", board.head[snake])
    return fill(game, head, free_cells(game, board) & ~head)


def _in_sector(game: Any, board: Any, number: int) -> int:
    return int(cells.contains(sector(game, board, number // CELLS), number % CELLS))


def _reaches_tail(game: Any, board: Any, number: int) -> int:
    return int(reaches_tail(game, board, number, sector(game, board, number)))


def _longest_other(game: Any, board: Any, number: int) -> int:
    return longest_other(board, number)


def _harm(game: Any, board: Any, number: int) -> int:
    return harm(game, board, number)


def _steps_to_food(game: Any, board: Any, number: int) -> int:
    return reach(game, board, number)[2]


@settings(max_examples=40)
@given(random=randoms())
def test_sectors_and_tails(random: Random) -> None:
    """A sector is the set of reachable cells; a tail is reached from the cells next to it."""
    position = random_position(random, snakes=(1, 4), sizes=(3, 8))
    packed, board = pack(position), board_of(position)
    for you, each in enumerate(position.snakes):
        expected = walk(board, [each.body[0]], free_of(board, you))
        assert cells_for(_in_sector, packed, position, you) == expected
        near = adjacent_cells(board, each.body[0], *expected)
        assert call(_reaches_tail, packed, you) == (each.body[-1] in near)
        longest = max((len(other.body) for other in position.snakes if other is not each), default=0)
        assert call(_longest_other, packed, you) == longest


def test_hazards() -> None:
    """Every layer under a head does damage."""
    position = Position(
        5, 1, (snake("a", "00 00"),), hazards=points("20 20 30"), ruleset=Ruleset("standard", 15)
    )
    packed = pack(position)
    assert [call(_harm, packed, cell_of(packed.shape, (x, 0))) for x in range(5)] == [0, 0, 30, 15, 0]


def test_steps_to_food() -> None:
    """The steps include the step onto the food; food that the opponent reaches first does not count."""
    duel = Position(9, 1, (snake("a", "00 00"), snake("b", "80 80")))
    for cells_of_food, steps in (("30", 3), ("30 10", 1), ("60", NOWHERE), ("", NOWHERE)):
        assert call(_steps_to_food, pack(replace(duel, food=points(cells_of_food)))) == steps


def _walkable(game: Any, board: Any, number: int) -> int:
    return walkable(game, board, number, sector(game, board, number))


def _longest_walk(board: Board, at: Point, left: set[Point]) -> int:
    return max(
        (1 + _longest_walk(board, cell, left - {cell}) for cell in adjacent_cells(board, at) & left),
        default=0,
    )


@settings(max_examples=60)
@given(random=randoms())
def test_no_walk_is_longer(random: Random) -> None:
    """The bound is never below the longest walk, nor above the number of cells."""
    position = random_position(random, snakes=(1, 2), sizes=(3, 4), parts=(1, 6))
    packed, board = pack(position), board_of(position)
    for you, each in enumerate(position.snakes):
        reached = walk(board, [each.body[0]], free_of(board, you))
        found = call(_walkable, packed, you)
        assert _longest_walk(board, each.body[0], reached) <= found <= len(reached)


@pytest.mark.parametrize(
    ("head", "ruleset", "steps"), [("00", "standard", 8), ("10", "standard", 7), ("10", "wrapped", 8)]
)
def test_a_walk_alternates_in_colour(head: str, ruleset: str, steps: int) -> None:
    """On 3x3 a walk from a corner enters all other cells, and one from beside it misses one; seams help."""
    position = Position(3, 3, (snake("a", f"{head} {head}"),), ruleset=Ruleset(ruleset))
    assert call(_walkable, pack(position), 0) == steps
