"""The position as the compiled engine holds it: two C-like records, `game` and `board`.

`game` is what stays the same throughout a search: size, rules, hazards, neighbours, and the rings in
which bodies lie. `board` is what a turn changes; it is small, because a search copies one for each node.

A body is a stretch of its snake's ring, from `tail_at` to `head_at`. A move writes one entry
ahead of the head, so a board that was copied before the move still finds its own body below: leaving a
node costs nothing. Parts yet to unfold are the count `grow`, the turns for which the tail stays.

Records come in a few types, one for each Shape; code is compiled once for each.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numba import from_dtype, types
from numpy.typing import NDArray

from searcher.engine.jit.vectors import WORD_BITS
from searcher.engine.position import MAX_SIZE, MAX_SNAKES, Direction, Point, Position

RING = 2048
"""Entries of a ring; a power of two, over the cells of the largest board and the deepest search together."""

HORIZON = 128
"""Turns from the root in which royale's hazards close in, over the deepest search; later they stay."""

MAX_WEIGHTS = 32
"""The most weights that an evaluator may have."""

STEPS: dict[Direction, Point] = {
    Direction.UP: (0, 1),
    Direction.DOWN: (0, -1),
    Direction.LEFT: (-1, 0),
    Direction.RIGHT: (1, 0),
}


@dataclass(frozen=True, slots=True)
class Shape:
    """A type of records: boards up to `stride` x `rows` cells, with up to `snakes` snakes."""

    stride: int
    rows: int
    snakes: int

    @property
    def words(self) -> int:
        """Machine words in a set of cells; one cell at least is left over, as the cell off the board."""
        return (self.stride * self.rows) // WORD_BITS + 1

    @property
    def cells(self) -> int:
        """Bits in a set of cells. The last one stands for every cell off the board."""
        return self.words * WORD_BITS

    @property
    def eras(self) -> int:
        """Steps by which royale's hazards may have closed in, from none to all of the board."""
        return self.stride + self.rows


SIZES = ((11, 11), (19, 21), (MAX_SIZE, MAX_SIZE))
"""The stride and rows of each size class, smallest first."""

CAPACITIES = (2, 4, MAX_SNAKES)
"""The number of snakes that a board has room for, smallest first."""

SHAPES = tuple(Shape(stride, rows, snakes) for stride, rows in SIZES for snakes in CAPACITIES)


def shapes_for(position: Position) -> list[Shape]:
    """The shapes that hold the position, smallest first; all give the same answers, the smallest soonest."""
    return [
        shape
        for shape in SHAPES
        if position.width <= shape.stride
        and position.height <= shape.rows
        and len(position.snakes) <= shape.snakes
    ]


@cache
def board_dtype(shape: Shape) -> np.dtype[np.void]:
    """What a turn changes.

    food, bodies: sets of cells; bodies are those of all living snakes, heads included.
    trail: a hash of each body's cells in their order.
    health: 0 for the dead. length: with parts yet to unfold. head: a cell.
    turns: since the root, under HORIZON, where hazards close in; else 0.
    """
    snakes = (shape.snakes,)
    return np.dtype(
        [
            ("food", np.uint64, (shape.words,)),
            ("bodies", np.uint64, (shape.words,)),
            ("trail", np.uint64, snakes),
            ("head", np.uint16, snakes),
            ("head_at", np.uint16, snakes),
            ("tail_at", np.uint16, snakes),
            ("length", np.uint16, snakes),
            ("health", np.int16, snakes),
            ("grow", np.uint16, snakes),
            ("turns", np.uint16),
        ],
        align=True,
    )


@cache
def game_dtype(shape: Shape) -> np.dtype[np.void]:
    """What a search keeps.

    on_board, hazards: sets of cells. neighbours: by cell and direction, the last cell of the shape
    standing for all that are off the board. left, right, bottom, top: the
    edges' cells where they are joined, else none. across, along: how far a seam is, in cells.
    column, row: of a cell. ring: the bodies' cells. cell_hash, power: of the trail hash.
    closing: whether royale's hazards close in. era: by turns since the root, how often they will have.
    damage: by era and cell, the health that hazards take from a head there, at most a whole one either way;
    in era 0, the root's, as they lie, later as is to be expected.
    """
    return np.dtype(
        [
            ("on_board", np.uint64, (shape.words,)),
            ("hazards", np.uint64, (shape.words,)),
            ("left", np.uint64, (shape.words,)),
            ("right", np.uint64, (shape.words,)),
            ("bottom", np.uint64, (shape.words,)),
            ("top", np.uint64, (shape.words,)),
            ("across", np.int64),
            ("along", np.int64),
            ("wrapped", np.int64),
            ("constrictor", np.int64),
            ("hazard_damage", np.int64),
            ("width", np.int64),
            ("height", np.int64),
            ("snakes", np.int64),
            ("stride", np.int64),
            ("turn", np.int64),
            ("neighbours", np.uint16, (shape.cells, 4)),
            ("closing", np.int64),
            ("era", np.uint8, (HORIZON,)),
            ("damage", np.int8, (shape.eras, shape.cells)),
            ("ring", np.uint16, (shape.snakes, RING)),
            ("column", np.int16, (shape.cells,)),
            ("row", np.int16, (shape.cells,)),
            ("cell_hash", np.uint64, (shape.cells,)),
            ("power", np.uint64, (RING,)),
        ],
        align=True,
    )


WEIGHTS_DTYPE = np.dtype([("values", np.float64, (MAX_WEIGHTS,))], align=True)


def record_type(dtype: np.dtype[np.void]) -> Any:
    """The compiler's type of a record; it passes as one pointer."""
    return from_dtype(dtype)


def record_array(dtype: np.dtype[np.void]) -> Any:
    """The compiler's type of an array of records."""
    return types.Array(from_dtype(dtype), 1, "C")


@dataclass(frozen=True, slots=True)
class Packed:
    """A position as records: arrays of one `game` and one `board`, and their shape."""

    shape: Shape
    game: NDArray[np.void]
    board: NDArray[np.void]


def cell_of(shape: Shape, point: Point) -> int:
    """The number of a cell on the board."""
    return point[1] * shape.stride + point[0]


def point_of(shape: Shape, cell: int) -> Point:
    """The inverse of cell_of."""
    return cell % shape.stride, cell // shape.stride


def words_of(shape: Shape, points: Any) -> NDArray[np.uint64]:
    """A set of cells as its words, lowest first."""
    bits = sum({1 << cell_of(shape, point) for point in points})
    return np.frombuffer(bits.to_bytes(shape.words * 8, "little"), dtype=np.uint64)


def points_in(shape: Shape, words: NDArray[np.uint64]) -> tuple[Point, ...]:
    """The inverse of words_of, in the order of the cells' numbers."""
    bits = int.from_bytes(words.tobytes(), "little")
    return tuple(point_of(shape, cell) for cell in range(shape.cells) if bits >> cell & 1)
