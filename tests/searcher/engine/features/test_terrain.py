"""The features of cells and bodies, against the same features in plain Python."""

from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given, settings

from searcher.engine.features.flood import NOWHERE, reach
from searcher.engine.features.terrain import (
    cut_cells,
    harm,
    hazard_share,
    longest_other,
    reaches_tail,
    sector,
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


@settings(deadline=None, max_examples=40)
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


@settings(deadline=None, max_examples=40)
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
