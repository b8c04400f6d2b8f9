"""The cells that a snake can use, against the same in plain Python."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from searcher.engine.features.terrain import chamber, cut_cells, sector, walkable
from searcher.engine.jit import cells
from searcher.engine.position import Point, Position, Ruleset
from searcher.engine.rules.packing import pack
from searcher.textbook.battlesnake import Board
from tests.searcher.engine.features.sets import CELLS, adjacent_cells, cells_for, free_of, walk
from tests.searcher.engine.positions import board_of, random_position, randoms, snake
from tests.searcher.engine.turns import call


def _in_chamber(game: Any, board: Any, number: int) -> int:
    you = number // CELLS
    return int(cells.contains(chamber(game, board, you, sector(game, board, you)), number % CELLS))


def _is_passage(game: Any, board: Any, number: int) -> int:
    you = number // CELLS
    whole = sector(game, board, you) | cells.one(board, "bodies", board.head[you])
    return int(cells.contains(cut_cells(game, whole), number % CELLS))


def _walkable(game: Any, board: Any, number: int) -> int:
    return walkable(game, board, number, sector(game, board, number))


def _parts(board: Board, whole: set[Point]) -> list[set[Point]]:
    """Return the connected parts of a set."""
    found, left = [], set(whole)
    while left:
        cell = min(left)
        part = walk(board, [cell], left - {cell}) | {cell}
        found.append(part)
        left -= part
    return found


@settings(deadline=None, max_examples=60)
@given(random=randoms())
def test_a_chamber_and_the_largest_one_behind(random: Random) -> None:
    """It is what can be reached without a passage, and the largest part that a passage leads to."""
    position = random_position(random, snakes=(1, 4), sizes=(4, 8), parts=(2, 12))
    packed, board = pack(position), board_of(position)
    for you, each in enumerate(position.snakes):
        head = each.body[0]
        inside = walk(board, [head], free_of(board, you))
        passages = cells_for(_is_passage, packed, position, you) - {head}
        front = walk(board, [head], inside - passages)
        edge = adjacent_cells(board, head, *front)
        behind = [part for part in _parts(board, inside - front) if part & edge]
        found = cells_for(_in_chamber, packed, position, you)
        assert front <= found
        assert found - front in behind or (not behind and found == front)
        assert len(found - front) == max(map(len, behind), default=0)


@pytest.mark.parametrize(
    ("width", "height", "body", "used"), [(8, 1, "30 30", 4), (8, 3, "30 31 32 32", 12), (5, 2, "00 00", 9)]
)
def test_of_two_rooms_only_the_larger_one_counts(width: int, height: int, body: str, used: int) -> None:
    """A snake between two rooms can't come back from either; one in a single room can use all of it."""
    position = Position(width, height, (snake("a", body),))
    assert len(cells_for(_in_chamber, pack(position), position, 0)) == used


def _longest_walk(board: Board, at: Point, left: set[Point]) -> int:
    return max(
        (1 + _longest_walk(board, cell, left - {cell}) for cell in adjacent_cells(board, at) & left),
        default=0,
    )


@settings(deadline=None, max_examples=60)
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
