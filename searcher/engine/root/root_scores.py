"""Deepening for analyses: it finds the exact scores of all root moves, or which of them are lost."""

from dataclasses import replace

from searcher.engine.position import Direction
from searcher.engine.result import (
    JointMove,
    OutcomeKind,
    Result,
    RootMove,
    ScoreKind,
    Scores,
    StopReason,
)
from searcher.engine.root.deepening import Deepening, RootScore, sort_best_first
from searcher.engine.search import score
from searcher.engine.search.ply import read_pv


class ExactDeepening(Deepening):
    """Deepening that searches each root move with an open window, and all moves to the same depth.

    An analysis needs all scores. A search for a move proves only that the other moves are not better. This
    class changes such a search from outside, so both run the same code of the engine.

    The moves share the transposition table. Of an incomplete depth only proven scores are kept, because
    scores of different depths are not comparable.
    """

    def _search_depth(self, depth: int) -> StopReason | None:
        self._lines: dict[Direction, tuple[JointMove, ...]] = {}
        reason = super()._search_depth(depth)
        for each in self.moves:
            if each.depth == depth:
                each.pv = self._lines.get(each.move, each.pv)
        return reason

    def _score_move(self, move: Direction, depth: int, best: int, first: bool) -> int:
        value = self.thread.score(move, depth, *self._window())
        if not self.thread.stopped:
            self._lines[move] = read_pv(self.thread.packed, self.thread.state)
        return value

    def _window(self) -> tuple[int, int]:
        """Return the window of a root move's search."""
        return -score.INFINITE, score.INFINITE

    def _adopt_incomplete_depth(self, searched: list[RootScore], rest: list[RootScore]) -> None:
        proven = {each.move: each for each in searched if each.is_proven}
        self.moves = sort_best_first([proven.get(each.move, each) for each in self.moves])

    def _settled_reason(self) -> StopReason | None:
        reason = super()._settled_reason()
        return None if reason is StopReason.ONLY_MOVE else reason


class LossDeepening(ExactDeepening):
    """Deepening that asks only whether each root move is lost. Most positions that are not are cut off."""

    def result(self, reason: StopReason | None) -> Result:
        """Return the result so far. A move that is not lost has a draw's score, a lower bound."""
        result = super().result(reason)
        return replace(result, root_moves=tuple(map(_held, result.root_moves)))

    def _window(self) -> tuple[int, int]:
        return score.DRAW - 1, score.DRAW


def _held(each: RootMove) -> RootMove:
    if each.outcome is not None and each.outcome.kind is OutcomeKind.LOSS:
        return each
    return RootMove(each.move, score.to_unit(score.DRAW), each.depth, None, ScoreKind.LOWER_BOUND)


_kinds: dict[tuple[Scores, type[Deepening]], type[Deepening]] = {}


def deepening_for(scores: Scores, kind: type[Deepening]) -> type[Deepening]:
    """Return a kind of deepening that finds these scores of the root moves."""
    if scores is Scores.BEST:
        return kind
    if (scores, kind) not in _kinds:
        asked = LossDeepening if scores is Scores.LOSSES else ExactDeepening
        _kinds[scores, kind] = type(f"{asked.__name__}Of{kind.__name__}", (asked, kind), {})
    return _kinds[scores, kind]
