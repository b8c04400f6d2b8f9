"""The values that an evaluator gives to many positions, with several sets of weights."""

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from arena.data.columns import Columns
from arena.learning.packing import values_function
from searcher.engine.position import Position, Ruleset, Snake
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import CAPACITIES, Packed
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
        self._columns = columns
        self._evaluator = evaluator
        self._fill = values_function(evaluator.evaluate)
        self._threads = threads or os.cpu_count() or 1
        self._groups = list(kinds_of(columns))

    def of(self, weights: Sequence[Mapping[str, float]]) -> NDArray[np.float32]:
        """Return the values: a row for each set of weights, by name, and a column for each snake."""
        columns, snakes = self._columns, self._columns.snakes
        records = np.concatenate([pack_weights(self._evaluator, given) for given in weights])
        values = np.zeros((len(weights), len(snakes)), dtype=np.float32)

        def fill(chunk: tuple[Packed, NDArray[np.int64]]) -> None:
            packed, rows = chunk
            self._fill(
                (packed.game.copy(), packed.board.copy()),
                (columns.food.offsets, columns.food.values),
                (columns.hazards.offsets, columns.hazards.values),
                columns.first,
                snakes.health,
                (snakes.body.offsets, snakes.body.values),
                rows,
                records,
                values,
            )

        chunks = [
            (packed, rows[start : start + _CHUNK])
            for packed, rows in self._groups
            for start in range(0, len(rows), _CHUNK)
        ]
        fill(chunks[0])  # compiles the code, which threads would do once each
        with ThreadPoolExecutor(self._threads) as pool:
            list(pool.map(fill, chunks[1:]))
        return values


def kinds_of(columns: Columns) -> Iterator[tuple[Packed, NDArray[np.int64]]]:
    """Yield the records of an empty board for each kind of board, and the positions of that kind.

    Positions with fewer snakes are of another kind: a record with room for more of them is slower.
    """
    snakes = np.diff(columns.first)
    room = np.array(CAPACITIES)[np.searchsorted(CAPACITIES, snakes)]
    kinds = np.stack(
        [columns.width, columns.height, columns.ruleset.codes, columns.hazard_damage, room], axis=1
    )
    distinct, inverse = np.unique(kinds.astype(np.int64), axis=0, return_inverse=True)
    for number, (width, height, ruleset, damage, capacity) in enumerate(distinct.tolist()):
        rules = Ruleset(columns.ruleset.names[ruleset], damage)
        board = Position(width, height, (Snake("", 1, ((0, 0),)),) * capacity, ruleset=rules)
        yield pack(board), np.flatnonzero(inverse == number)
