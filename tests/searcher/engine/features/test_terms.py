"""The features that terms are made of, against the same features in plain Python."""

import math
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from searcher.engine.features.flood import fill
from searcher.engine.features.terms import (
    crowding,
    harm,
    lateness,
    log_ratio,
    longest_other,
    reaches_tail,
    walkable,
)
from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.position import Point, Position, Ruleset, Snake
from searcher.engine.rules.board import free_cells
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import cell_of
from searcher.textbook.battlesnake import Board, Direction
from tests.searcher.engine.positions import board_of, points, random_position, randoms, snake
from tests.searcher.engine.turns import call

THOUSAND = 1000


def _lateness(game: Any, board: Any, _number: int) -> int:
    return round(THOUSAND * lateness(game, board))


def _crowding(game: Any, board: Any, _number: int) -> int:
    return round(THOUSAND * crowding(board))


def _log_ratio(game: Any, board: Any, number: int) -> int:
    return round(THOUSAND * log_ratio(number // THOUSAND, number % THOUSAND))


def _position(*lengths: int) -> Position:
    """Return a 10x10 board with snakes of these lengths, all of it yet to unfold."""
    return Position(10, 10, tuple(Snake(str(x), 90, ((x, 0),) * length) for x, length in enumerate(lengths)))


@pytest.mark.parametrize(("lengths", "late"), [((3, 7), 0.2), ((20, 30), 1.0), ((60, 3, 3), 1.0)])
def test_a_game_is_late_when_bodies_cover_half_of_the_board(lengths: tuple[int, ...], late: float) -> None:
    """Before that it grows with the sum of the lengths."""
    assert call(_lateness, pack(_position(*lengths))) == late * THOUSAND


@pytest.mark.parametrize(("snakes", "crowd"), [(1, 0.0), (2, 0.0), (4, 0.5), (8, 0.75)])
def test_more_than_two_snakes_are_a_crowd(snakes: int, crowd: float) -> None:
    """It is the share of the snakes beyond two."""
    assert call(_crowding, pack(_position(*[3] * snakes))) == crowd * THOUSAND


@pytest.mark.parametrize(("mine", "theirs"), [(9, 4), (4, 9), (7, 7), (0, 100)])
def test_a_ratio_has_a_sign(mine: int, theirs: int) -> None:
    """It is above 0 for the larger one, and the same below 0 for the smaller one."""
    expected = round(THOUSAND * math.log((mine + 1) / (theirs + 1)))
    packed = pack(_position(3, 3))
    assert call(_log_ratio, packed, mine * THOUSAND + theirs) == expected
    assert call(_log_ratio, packed, theirs * THOUSAND + mine) == -expected


@njit
def sector(game: Any, board: Any, snake: int) -> Any:
    """Return the cells that a snake can walk to if no other snake moves."""
    head = cells.one(board, "bodies", board.head[snake])
    return fill(game, head, free_cells(game, board) & ~head)


def _size(game: Any, board: Any, snake: int) -> int:
    return cells.count(sector(game, board, snake))


def _reaches_tail(game: Any, board: Any, snake: int) -> int:
    return int(reaches_tail(game, board, snake, sector(game, board, snake)))


def _walkable(game: Any, board: Any, snake: int) -> int:
    return walkable(game, board, snake, sector(game, board, snake))


def _longest_other(game: Any, board: Any, snake: int) -> int:
    return longest_other(board, snake)


def _harm(game: Any, board: Any, cell: int) -> int:
    return harm(game, board, cell)


def reachable(board: Board, you: int) -> set[Point]:
    """Return the cells that a snake can walk to if no other snake moves."""
    held = {part for player in board.living for part in board.snakes[player].body[:-1]}
    held.add(board.snakes[you].head)
    reached, edge = set[Point](), {board.snakes[you].head}
    while edge:
        edge = adjacent_cells(board, edge) - held - reached
        reached |= edge
    return reached


def adjacent_cells(board: Board, here: Iterable[Point]) -> set[Point]:
    """Return the cells of the board one step from any of these."""
    near = {board.neighbour(cell, direction) for cell in here for direction in Direction}
    return {cell for cell in near if board.holds(cell)}


@settings(max_examples=40)
@given(random=randoms())
def test_cells_and_tails_within_reach(random: Random) -> None:
    """The cells are those of a plain walk, and a tail is reached from the cells next to it."""
    position = random_position(random, snakes=(1, 4), sizes=(3, 8))
    packed, board = pack(position), board_of(position)
    for you, each in enumerate(position.snakes):
        expected = reachable(board, you)
        assert call(_size, packed, you) == len(expected)
        near = adjacent_cells(board, {each.body[0], *expected})
        assert call(_reaches_tail, packed, you) == (each.body[-1] in near)
        longest = max((len(other.body) for other in position.snakes if other is not each), default=0)
        assert call(_longest_other, packed, you) == longest


def test_hazards() -> None:
    """Every layer under a head does damage."""
    hazards = points("20 20 30")
    position = Position(5, 1, (snake("a", "00 00"),), hazards=hazards, ruleset=Ruleset("standard", 15))
    packed = pack(position)
    assert [call(_harm, packed, cell_of(packed.shape, (x, 0))) for x in range(5)] == [0, 0, 30, 15, 0]


def _longest_walk(board: Board, at: Point, left: set[Point]) -> int:
    steps = adjacent_cells(board, {at}) & left
    return max((1 + _longest_walk(board, cell, left - {cell}) for cell in steps), default=0)


@settings(max_examples=60)
@given(random=randoms())
def test_no_walk_is_longer(random: Random) -> None:
    """The bound is never below the longest walk, nor above the number of cells."""
    position = random_position(random, snakes=(1, 2), sizes=(3, 4), parts=(1, 6))
    packed, board = pack(position), board_of(position)
    for you, each in enumerate(position.snakes):
        reached = reachable(board, you)
        found = call(_walkable, packed, you)
        assert _longest_walk(board, each.body[0], reached) <= found <= len(reached)


@pytest.mark.parametrize(
    ("head", "ruleset", "steps"), [("00", "standard", 8), ("10", "standard", 7), ("10", "wrapped", 8)]
)
def test_a_walk_alternates_in_colour(head: str, ruleset: str, steps: int) -> None:
    """On 3x3 a walk from a corner enters all other cells, and one from beside it misses one; seams help."""
    position = Position(3, 3, (snake("a", f"{head} {head}"),), ruleset=Ruleset(ruleset))
    assert call(_walkable, pack(position), 0) == steps
