"""A position in the compiled engine: two C-like records, `game` and `board`.

`game` has the constants of a search: size, rules, hazards, neighbours, and the rings of the bodies. `board`
has the state that a turn changes. It is small, because a search copies it for each node.

A body is a section of its snake's ring buffer, from `tail_at` to `head_at`. A move writes one entry ahead of
the head. A copy of the board from before the move still has its body behind that entry, so a move need not be
undone in the ring. `grow` counts the parts yet to unfold: the turns for which the tail stays.

There is one type of record for each Shape, and code is compiled once for each Shape.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from battlesnake_search.contract.limits import MAX_SIDE, MAX_SNAKES
from searcher.engine.jit.words import WORD_BITS, WORD_BYTES
from searcher.engine.position import Direction, Point, Position

RING = 2048
"""The number of entries of a ring: a power of two > cells of the largest board + greatest depth."""

HORIZON = 128
"""Hazards change for this number of turns from the root. No search has more turns."""

MAX_WEIGHTS = 32
"""The largest number of weights that an evaluator may have."""

STEPS: dict[Direction, Point] = {
    Direction.UP: (0, 1),
    Direction.DOWN: (0, -1),
    Direction.LEFT: (-1, 0),
    Direction.RIGHT: (1, 0),
}


@dataclass(frozen=True, slots=True)
class Shape:
    """A type of records: boards of up to `stride` x `rows` cells with up to `snakes` snakes."""

    stride: int
    rows: int
    snakes: int

    @property
    def words(self) -> int:
        """The number of machine words in a set of cells. At least one bit is for the cell off the board."""
        return (self.stride * self.rows) // WORD_BITS + 1

    @property
    def cells(self) -> int:
        """The number of bits in a set of cells. The last bit stands for every cell off the board."""
        return self.words * WORD_BITS

    @property
    def eras(self) -> int:
        """The number of eras. An era is the number of times that hazards have changed since the root."""
        return self.stride + self.rows


SHAPES = (
    Shape(11, 11, 2),
    Shape(11, 11, 4),
    Shape(11, 11, MAX_SNAKES),
    Shape(19, 21, 4),
    Shape(19, 21, MAX_SNAKES),
    Shape(MAX_SIDE, MAX_SIDE, MAX_SNAKES),
)
"""The shapes that code is compiled for, smallest first. Each takes seconds, so rare boards have few."""


def shapes_for(position: Position) -> list[Shape]:
    """Return the shapes that have room for the position, smallest first.

    All shapes give the same results. The smallest shape is the fastest.
    """
    return [
        shape
        for shape in SHAPES
        if position.width <= shape.stride
        and position.height <= shape.rows
        and len(position.snakes) <= shape.snakes
    ]


Board: TypeAlias = Any
"""A board in compiled code: a record of `board_dtype`, with its fields as attributes."""

Game: TypeAlias = Any
"""The constants of a search in compiled code: a record of `game_dtype`, with its fields as attributes."""

Weights: TypeAlias = Any
"""The weights of an evaluator in compiled code: a record of WEIGHTS_DTYPE.

values: MAX_WEIGHTS numbers (float64), in the order of the evaluator's `WEIGHTS`. Places beyond them have 0.
"""


@cache
def board_dtype(shape: Shape) -> np.dtype[np.void]:
    """Return the record of the state that a turn changes. All fields but food, bodies and turns are by snake.

    food, bodies: sets of cells. bodies has the cells of all living snakes, heads included.
    trail: a hash of the body's cells in their order. head: its cell.
    head_at, tail_at: the places of head and tail in the ring.
    length: the number of parts, including parts yet to unfold, 0 if dead. health: 0 if dead.
    grow: the number of parts yet to unfold.
    turns: turns since the root, below HORIZON, if hazards change, otherwise 0.
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
    """Return the record of a search's constants.

    on_board, hazards: sets of cells. black: the cells of one colour of a checkerboard, (0, 0) among them.
    left, right, bottom, top: the sets of the edges' cells on a wrapped board, otherwise empty. across, along:
    the difference between the numbers of two cells that a seam joins, sideways and upwards. wrapped,
    constrictor: flags of the rules. hazard_damage: the health that a layer of hazard costs. width, height:
    the size of the board, in cells. stride: the size of a row, as in the shape. snakes: the number of the
    position's snakes. turn: the position's turn. root_length, root_head_at: by snake, its length
    and the place of its head in the ring, in the position.
    neighbours: the next cell by cell and direction. The shape's last cell stands for all cells off the board.
    changing: whether the hazards change with the turns. era: by turns since the root, the number of their
    changes until then: steps of royale's hazards, or turns of snail mode. damage: by era and cell, the health
    that hazards take from a head there, from -MAX_HEALTH to MAX_HEALTH. Era 0, the root's, has the damage of
    the hazards on the board, and later eras the rounded expected damage. ring: by snake, the cells of its
    body. column, row: of a cell. cell_hash, power: the numbers for the trail hash.
    """
    return np.dtype(
        [
            ("on_board", np.uint64, (shape.words,)),
            ("hazards", np.uint64, (shape.words,)),
            ("black", np.uint64, (shape.words,)),
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
            ("root_length", np.int64, (shape.snakes,)),
            ("root_head_at", np.int64, (shape.snakes,)),
            ("neighbours", np.uint16, (shape.cells, 4)),
            ("changing", np.int64),
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


@dataclass(frozen=True, slots=True)
class Packed:
    """A position as records: arrays of one `game` and one `board`, and their shape."""

    shape: Shape
    game: NDArray[np.void]
    board: NDArray[np.void]


def cell_of(shape: Shape, point: Point) -> int:
    """Return the number of a cell on the board."""
    return point[1] * shape.stride + point[0]


def words_of(shape: Shape, points: Iterable[Point]) -> NDArray[np.uint64]:
    """Return the set of these cells as its words, lowest first."""
    bits = sum({1 << cell_of(shape, point) for point in points})
    return np.frombuffer(bits.to_bytes(shape.words * WORD_BYTES, "little"), dtype=np.uint64)


def points_in(shape: Shape, words: NDArray[np.uint64]) -> tuple[Point, ...]:
    """Return the cells of a set, in the order of their numbers: the inverse of `words_of`."""
    bits, points = int.from_bytes(words.tobytes(), "little"), points_of_cells(shape)
    cells = []
    while bits:
        cells.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return tuple(points[cell] for cell in cells)


@cache
def points_of_cells(shape: Shape) -> tuple[Point, ...]:
    """Return the point of every cell, by its number: the inverse of `cell_of`."""
    return tuple((cell % shape.stride, cell // shape.stride) for cell in range(shape.cells))
