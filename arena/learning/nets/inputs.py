"""The terms of all snakes of some data, which are the inputs of a net."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.data.columns import Columns
from arena.learning.samples.packing import kinds_of, pack_row, rows_of
from searcher.engine.features.terms import Terms, terms
from searcher.engine.jit.decorator import njit

Inputs = NDArray[np.float32]
"""By snake and term."""


def inputs_of(columns: Columns) -> Inputs:
    """Return the terms of each snake of each position."""
    found = np.zeros((len(columns.snakes), len(Terms._fields)), dtype=np.float32)
    rows = rows_of(columns)
    for kind in kinds_of(columns):
        _fill(kind, rows, found)
    return found


@njit
def _fill(kind: Any, rows: Any, found: Any) -> None:
    game, board = kind.game[0], kind.board[0]
    for row in kind.positions:
        pack_row(game, board, rows, row)
        for snake in range(rows.first[row], rows.first[row + 1]):
            values = terms(game, board, snake - rows.first[row])
            for index in range(len(values)):
                found[snake, index] = values[index]
