"""The geometry of a board in a game record: its cells, their neighbours, and the seams of a wrapped board."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from searcher.engine.position import Point
from searcher.engine.rules.records import RING, STEPS, Shape, cell_of, game_dtype, words_of

_HASH_SEED = 0x5EED
_HASH_BASE = 0x9E3779B97F4A7C15


@lru_cache(maxsize=32)
def game_of_size(shape: Shape, width: int, height: int, wrapped: bool) -> NDArray[np.void]:
    """Return a game record with only the fields of its size and its edges. They are slow to compute."""
    games = np.zeros(1, dtype=game_dtype(shape))
    game = games[0]
    on_board = _rectangle(range(width), range(height))
    game["on_board"] = words_of(shape, on_board)
    game["black"] = words_of(shape, [(x, y) for x, y in on_board if (x + y) % 2 == 0])
    if wrapped:
        game["left"] = words_of(shape, _rectangle([0], range(height)))
        game["right"] = words_of(shape, _rectangle([width - 1], range(height)))
        game["bottom"] = words_of(shape, _rectangle(range(width), [0]))
        game["top"] = words_of(shape, _rectangle(range(width), [height - 1]))
    game["across"], game["along"] = width - 1, (height - 1) * shape.stride
    game["wrapped"] = wrapped
    game["width"], game["height"], game["stride"] = width, height, shape.stride
    game["row"], game["column"] = np.divmod(np.arange(shape.cells), shape.stride)
    game["neighbours"] = _neighbours(shape, width, height, wrapped)
    game["cell_hash"], game["power"] = _hash_tables(shape.cells)
    return games


def _rectangle(columns: Iterable[int], rows: Iterable[int]) -> list[Point]:
    rows = list(rows)
    return [(x, y) for x in columns for y in rows]


def _neighbours(shape: Shape, width: int, height: int, wrapped: bool) -> NDArray[np.uint16]:
    """Return the neighbour of each cell in each direction. A wrapped board joins opposite edges."""
    off_board = shape.cells - 1
    table = np.full((shape.cells, 4), off_board, dtype=np.uint16)
    for x, y in _rectangle(range(width), range(height)):
        for direction, (dx, dy) in STEPS.items():
            target = (x + dx) % width, (y + dy) % height
            if wrapped or target == (x + dx, y + dy):
                table[cell_of(shape, (x, y)), direction] = cell_of(shape, target)
    return table


def _hash_tables(cells: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return a random number for each cell, and the powers that weight it by its place in the body."""
    generator = np.random.Generator(np.random.PCG64(_HASH_SEED))
    cell_hash = generator.integers(0, 2**64, size=cells, dtype=np.uint64)
    bases = np.full(RING, _HASH_BASE, dtype=np.uint64)
    bases[0] = 1
    return cell_hash, np.multiply.accumulate(bases)
