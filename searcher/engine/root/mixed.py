"""Iterative deepening for `simultaneous`: the root's matrix game, and a move drawn from its solution.

The answer comes from the last completed depth: the odds of an incomplete one are worth nothing.
"""

import random
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from searcher.engine.algorithms.payoff_matrix import HIGH, LOW
from searcher.engine.position import Position
from searcher.engine.result import Limits, StopReason
from searcher.engine.root.deepening import Deepening, RootScore
from searcher.engine.search import score
from searcher.engine.search.clock import Clock
from searcher.engine.search.ordering import NO_MOVE
from searcher.engine.search.pv import read_pv
from searcher.engine.search.threads import Thread


class MixedDeepening(Deepening):
    """One search from its root: call `run` once.

    A root move's score is what it brings against the others' best odds, at most: only the moves that are
    played now and then bring as much as the position is worth. The move is drawn by the seed, the turn and
    the snake, so that the same search repeats and two snakes of one seed choose independently.
    """

    def __init__(
        self,
        position: Position,
        threads: Sequence[Thread],
        limits: Limits,
        clock: Clock,
        *,
        uses_window: bool = True,
        first_depth: int = 1,
    ) -> None:
        super().__init__(position, threads, limits, clock, uses_window=uses_window, first_depth=first_depth)
        for thread in threads:
            thread.state["legal"][0, 0, position.you] = sum(1 << found.move for found in self.moves)
        self.moves.sort(key=lambda found: found.move)
        self.rows = tuple(found.move for found in self.moves)

    def _search_depth(self, depth: int) -> StopReason | None:
        """Solves the root at a depth and puts the drawn move first; says why it was stopped, if it was."""
        value = self.thread.score(NO_MOVE, depth, -score.INFINITE, score.INFINITE)
        if self.thread.stopped:
            return self._why_stopped()
        matrix = self.thread.state["own"]["matrix"][
            0, 0, :, : len(self.rows), : int(self.thread.state["own"]["columns"][0, 0])
        ]
        column_strategy = self.thread.state["own"]["column_strategy"][0, HIGH, : matrix.shape[2]]
        drawn = self._draw(value, matrix[LOW], int(column_strategy.argmax()))
        scores = [_expected(value, entries, column_strategy) for entries in matrix[HIGH]]
        scores[drawn] = value
        moves = [self._root_score(row, scores[row], depth) for row in range(len(self.rows))]
        self.moves = [moves.pop(drawn), *sorted(moves, key=lambda found: -found.score)]
        return None

    def _draw(self, value: int, low: NDArray[np.int32], column: int) -> int:
        """The row to play: drawn by the odds; where all is lost, the one that lives longest."""
        if score.is_loss(value):
            return int(low[:, column].argmax())
        odds = self.thread.state["own"]["row_strategy"][0, LOW, : len(self.rows)]
        source = random.Random(f"{self.limits.seed} {self.position.turn} {self.position.you}")
        return source.choices(range(len(self.rows)), weights=odds.tolist())[0]

    def _root_score(self, row: int, value: int, depth: int) -> RootScore:
        pv = read_pv(self.thread.packed, self.thread.state, row)
        return RootScore(self.rows[row], value, depth, pv)


def _expected(value: int, entries: NDArray[np.int32], odds: NDArray[np.float64]) -> int:
    """What a row brings at most against the odds of the columns; proven where all its entries are."""
    if value >= score.HEURISTIC_LIMIT:
        return int(entries.min())
    if score.is_loss(value):
        return int(entries[odds.argmax()])
    if score.is_loss(int(entries.max())):
        return int(entries.max())
    payoffs = np.where(entries < score.DRAW, entries + score.MAX_TURNS, entries)
    expected = min(round(float(payoffs @ odds)), value)
    return max(expected, 1 - score.HEURISTIC_LIMIT)
