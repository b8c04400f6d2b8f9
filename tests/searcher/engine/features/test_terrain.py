"""The features of cells and bodies, against the same features in plain Python."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from searcher.engine.features.flood import NOWHERE, reach
from searcher.engine.features.terrain import (
    chamber,
    cut_cells,
    harm,
    hazard_share,
    longest_other,
    reaches_tail,
    sector,
    walkable,
)
from searcher.engine.jit import cells
from searcher.engine.position import Point, Position, Ruleset
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import cell_of
from searcher.textbook.battlesnake import Board
from tests.searcher.engine.features.sets import CELLS, adjacent_cells, cells_for, free_of, walk
from tests.searcher.engine.positions import board_of, points, random_position, randoms, snake
from tests.searcher.engine.turns import call


def _in_sector(game: Any, board: Any, number: int) -> int:
    return int(cells.contains(sector(game, board, number // CELLS), number % CELLS))


def _is_cut(game: Any, board: Any, number: int) -> int:
    return int(cells.contains(cut_cells(game, sector(game, board, number // CELLS)), number % CELLS))


def _reaches_tail(game: Any, board: Any, number: int) -> int:
    return int(reaches_tail(game, board, number, sector(game, board, number)))


def _longest_other(game: Any, board: Any, number: int) -> int:
    return longest_other(board, number)


def _harm(game: Any, board: Any, number: int) -> int:
    return harm(game, board, number)


def _hazards(game: Any, board: Any, number: int) -> int:
    return round(hazard_share(game, sector(game, board, number)) * CELLS)


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


def separates_neighbours(board: Board, cell: Point, rest: set[Point]) -> bool:
    """Return whether a cell has neighbours in a set that are not connected over the set."""
    near = adjacent_cells(board, cell) & rest - {cell}
    return bool(near) and not near <= walk(board, [min(near)], rest - {cell}) | {min(near)}


def around(board: Board, cell: Point, reached: set[Point]) -> set[Point]:
    """Return the cells of a set among the eight around a cell."""
    near = adjacent_cells(board, cell)
    return {one for one in reached if one in near or len(adjacent_cells(board, one) & near) > 1}


@settings(max_examples=40)
@given(random=randoms())
def test_cut_cells(random: Random) -> None:
    """Cut cells are those of the definition, and include every cell without which the sector falls apart."""
    position = random_position(random, snakes=(1, 4), sizes=(4, 8))
    packed, board = pack(position), board_of(position)
    for you, each in enumerate(position.snakes):
        reached = walk(board, [each.body[0]], free_of(board, you))
        found = cells_for(_is_cut, packed, position, you)
        if not position.ruleset.wrapped:
            near = {cell: around(board, cell, reached) for cell in reached}
            assert found == {cell for cell in reached if separates_neighbours(board, cell, near[cell])}
        assert {cell for cell in reached if separates_neighbours(board, cell, reached)} <= found <= reached


def test_a_corridor_is_cut_everywhere_but_at_its_end() -> None:
    """The door between two rooms is a cut cell, and so is every cell of a corridor except its ends."""
    wall = snake("b", "30 31 32 43 44 45 46 36 26")
    position = Position(7, 7, (snake("a", "00 00"), replace(wall, body=points("30 31 32 34 35 36"))))
    assert (3, 3) in cells_for(_is_cut, pack(position), position, 0)
    corridor = Position(7, 1, (snake("a", "00 00"),))
    assert cells_for(_is_cut, pack(corridor), corridor, 0) == set(points("20 30 40 50"))


def test_hazards() -> None:
    """Every layer under a head does damage; the hazard share of a sector does not depend on layers."""
    position = Position(
        5, 1, (snake("a", "00 00"),), hazards=points("20 20 30"), ruleset=Ruleset("standard", 15)
    )
    packed = pack(position)
    assert [call(_harm, packed, cell_of(packed.shape, (x, 0))) for x in range(5)] == [0, 0, 30, 15, 0]
    assert call(_hazards, packed) == CELLS // 2
    shut_in = pack(replace(position, snakes=(snake("a", "00 00"), snake("b", "10 20"))))
    assert call(_hazards, shut_in) == 0


def test_steps_to_food() -> None:
    """The steps include the step onto the food; food that the opponent reaches first does not count."""
    duel = Position(9, 1, (snake("a", "00 00"), snake("b", "80 80")))
    for cells_of_food, steps in (("30", 3), ("30 10", 1), ("60", NOWHERE), ("", NOWHERE)):
        assert call(_steps_to_food, pack(replace(duel, food=points(cells_of_food)))) == steps


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


@settings(max_examples=60)
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
