"""The values that an evaluator gives to many positions, with several sets of weights."""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from arena.data.columns import Columns
from arena.learning.samples.packing import Kind, kinds_of, pack_row, rows_of
from searcher.engine.jit.decorator import njit
from searcher.interface import Evaluator
from searcher.session import pack_weights

_CHUNK = 4096
"""Positions that a thread evaluates in one go."""


class Valuing(Protocol):
    """What gives values to samples."""

    def of(self, weights: Sequence[Mapping[str, float]]) -> NDArray[np.float32]:
        """Return the values: a row for each set of weights, by name, and a column for each sample."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The values of some samples alone."""

    values: Valuing
    samples: NDArray[np.bool_]

    def of(self, weights: Sequence[Mapping[str, float]]) -> NDArray[np.float32]:
        """Return the values of the chosen samples."""
        return self.values.of(weights)[:, self.samples]


class Values:
    """Evaluates the snakes of all positions of some data."""

    def __init__(self, columns: Columns, evaluator: Evaluator, threads: int | None = None) -> None:
        self._rows = rows_of(columns)
        self._snakes = len(columns.snakes)
        self._evaluator = evaluator
        self._fill = _values_function(evaluator.evaluate)
        self._threads = threads or os.cpu_count() or 1
        self._kinds = list(kinds_of(columns))

    def of(self, weights: Sequence[Mapping[str, float]]) -> NDArray[np.float32]:
        """Return the values: a row for each set of weights, by name, and a column for each snake."""
        records = np.concatenate([pack_weights(self._evaluator, given) for given in weights])
        values = np.zeros((len(weights), self._snakes), dtype=np.float32)

        def fill(chunk: Kind) -> None:
            self._fill(chunk, self._rows, records, values)

        first, *others = (chunk for kind in self._kinds for chunk in kind.chunks(_CHUNK))
        fill(first)  # compiles the code, which threads would do once each
        with ThreadPoolExecutor(self._threads) as pool:
            list(pool.map(fill, others))
        return values


@cache
def _values_function(evaluate: Callable[..., float]) -> Callable[..., None]:
    """Return the function that fills in the values of an evaluator's snakes, without the GIL.

    `weights` is an array of records, and `values` has a row for each of them and a column for each snake.
    """
    compiled = njit(evaluate)

    @njit(nogil=True)
    def fill(kind: Any, rows: Any, weights: Any, values: Any) -> None:
        game, board = kind.game[0], kind.board[0]
        for row in kind.positions:
            pack_row(game, board, rows, row)
            for snake in range(rows.first[row], rows.first[row + 1]):
                for number in range(len(weights)):
                    values[number, snake] = compiled(game, board, weights[number], snake - rows.first[row])

    return fill
