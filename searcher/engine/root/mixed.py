"""Iterative deepening for `simultaneous`: solves the root's matrix game and draws a move from the solution.

The answer comes from the last completed depth, because an incomplete depth has no meaningful mixed strategy.
"""

import random

import numpy as np
from numpy.typing import NDArray

from searcher.engine.algorithms.payoff_matrix import LOWER, UPPER
from searcher.engine.position import Direction
from searcher.engine.result import StopReason
from searcher.engine.root.deepening import Deepening, RootScore
from searcher.engine.search import score
from searcher.engine.search.ordering import NO_MOVE
from searcher.engine.search.ply import read_pv


class MixedDeepening(Deepening):
    """One search from its root. Call `run` once.

    A root move's score is an upper bound of its expected score against the opponents' optimal mixed strategy.
    Only the moves that my strategy plays with a probability above 0 have the position's value as their score.
    The seed, the turn and the snake determine the drawn move. So a search can be repeated, and two snakes
    with the same seed choose independently.
    """

    @property
    def rows(self) -> list[Direction]:
        """The moves of the matrix's rows."""
        return sorted(each.move for each in self.moves)

    def _root_moves(self) -> list[Direction]:
        """Return the root moves, and restrict the threads' root matrices to these rows."""
        moves = sorted(super()._root_moves())
        for thread in self.threads:
            thread.state["legal"][0, 0, self.position.you] = sum(1 << move for move in moves)
        return moves

    def _search_depth(self, depth: int) -> StopReason | None:
        """Solve the root at a depth and put the drawn move first. Return the reason of a stop, or None."""
        value = self.thread.score(NO_MOVE, depth, -score.INFINITE, score.INFINITE)
        if self.thread.stopped:
            return self._stop_reason()
        own, rows = self.thread.state["own"], self.rows
        matrix = own["matrix"][0, 0, :, : len(rows), : int(own["columns"][0, 0])]
        column_strategy = own["column_strategy"][0, UPPER, : matrix.shape[2]]
        drawn = self._draw(value, matrix[LOWER], int(column_strategy.argmax()))
        scores = [_expected_score(value, entries, column_strategy) for entries in matrix[UPPER]]
        scores[drawn] = value
        moves = [
            RootScore(move, scores[row], depth, read_pv(self.thread.packed, self.thread.state, row))
            for row, move in enumerate(rows)
        ]
        self.moves = [moves.pop(drawn), *sorted(moves, key=lambda each: -each.score)]
        return None

    def _draw(self, value: int, lower: NDArray[np.int32], column: int) -> int:
        """Return a row drawn from the mixed strategy, or in a lost position the row that survives longest."""
        if score.is_loss(value):
            return int(lower[:, column].argmax())
        probabilities = self.thread.state["own"]["row_strategy"][0, LOWER, : len(self.moves)]
        rng = random.Random(f"{self.limits.seed} {self.position.turn} {self.position.you}")
        return rng.choices(range(len(self.moves)), weights=probabilities.tolist())[0]


def _expected_score(value: int, entries: NDArray[np.int32], probabilities: NDArray[np.float64]) -> int:
    """Return an upper bound of a row's expected score against the opponents' mixed strategy.

    It is a proven score if all entries of the row are proven.
    """
    if value >= score.HEURISTIC_LIMIT:
        return int(entries.min())
    if score.is_loss(value):
        return int(entries[probabilities.argmax()])
    if score.is_loss(int(entries.max())):
        return int(entries.max())
    payoffs = np.where(entries < score.DRAW, entries + score.MAX_TURNS, entries)
    expected = min(round(float(payoffs @ probabilities)), value)
    return max(expected, 1 - score.HEURISTIC_LIMIT)
