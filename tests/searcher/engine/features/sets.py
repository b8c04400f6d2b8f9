"""Sets of cells in plain Python, to compare compiled features with."""

from collections.abc import Iterable, Iterator
from typing import Any

from searcher.engine.position import Point, Position
from searcher.engine.rules.records import Packed, cell_of
from searcher.textbook.battlesnake import Board, Direction
from tests.searcher.engine.turns import call

CELLS = 1_000
"""More than the cells of every shape, so that one number can hold a snake and a cell, or two cells."""


def cells_for(function: Any, packed: Packed, position: Position, you: int) -> set[Point]:
    """Return the cells for which a compiled predicate of a snake and a cell is true."""
    numbers = ((point, cell_of(packed.shape, point)) for point in every_cell(position))
    return {point for point, cell in numbers if call(function, packed, you * CELLS + cell)}


def every_cell(position: Position) -> Iterator[Point]:
    """Yield all cells of the board."""
    return ((x, y) for x in range(position.width) for y in range(position.height))


def adjacent_cells(board: Board, *here: Point) -> set[Point]:
    """Return the cells of the board one step from any of these."""
    near = {board.neighbour(cell, direction) for cell in here for direction in Direction}
    return {cell for cell in near if board.holds(cell)}


def walk(board: Board, start: Iterable[Point], free: set[Point]) -> set[Point]:
    """Return the cells that can be reached over free cells."""
    reached, edge = set[Point](), set(start)
    while edge:
        edge = (adjacent_cells(board, *edge) & free) - reached
        reached |= edge
    return reached


def free_of(board: Board, you: int) -> set[Point]:
    """Return the cells without a body this turn; my head is not among them."""
    held = {part for player in board.living for part in board.snakes[player].body[:-1]}
    whole = {(x, y) for x in range(board.width) for y in range(board.height)}
    return whole - held - {board.snakes[you].head}
