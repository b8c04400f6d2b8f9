"""The root of `mcts`: reports the tree's statistics while it grows, and merges several threads' statistics.

The threads are root-parallel (Chaslot, Winands and van den Herik, "Parallel Monte-Carlo Tree Search", 2008):
each grows a tree of its own, and the statistics of their roots add up.
"""

import random
from functools import partial

from searcher.engine.algorithms.search_tree import ROOT
from searcher.engine.position import Direction
from searcher.engine.result import Result, StopReason
from searcher.engine.root.deepening import Deepening, OnDepth, RootScore
from searcher.engine.search import score
from searcher.engine.search.ordering import NO_MOVE
from searcher.engine.search.ply import read_pv
from searcher.engine.search.state import MAX_DEPTH
from searcher.engine.search.threads import NO_LIMIT, Thread, helping

FIRST_REPORT = 64
"""The number of nodes before the first report of the search. The number doubles for each further report."""

STALE = 16
"""With a limit of depth, the search ends if, since the last report, STALE * new nodes < counted nodes."""


# A call of the compiled function from Python would compile it.
_heuristic = score.heuristic.py_func


class TreeGrowth(Deepening):
    """One search from its root. Call `run` once.

    The answer is the most visited move. A root move's score is its mean value unless it is proven. The depth
    is the length of the principal variation, in turns. A limit of depth bounds the tree. The limit ends the
    search when the principal variation has this length, or when the tree hardly grows any more. A limit of
    nodes applies to each thread. The leading thread ends the search.
    """

    def run(self, on_depth: OnDepth | None = None) -> Result:
        """Grow the trees until a limit is reached. Call `on_depth` with the result at each report."""
        self._size = self._nodes = 0
        helpers = self.threads[1:]
        with helping(helpers, [partial(self._grow, helper, NO_LIMIT) for helper in helpers]):
            return self._grow_and_report(on_depth)

    def _grow_and_report(self, on_depth: OnDepth | None) -> Result:
        until = FIRST_REPORT
        while True:
            size = self._grow(self.thread, until)
            self._read_trees()
            reason = self._stop_reason() if self.thread.stopped else self._reason_to_report(size)
            if on_depth is not None and not self.thread.stopped:
                on_depth(self.result(reason))
            if reason is not None:
                return self.result(reason)
            self._size, self._nodes, until = size, self.thread.nodes, 2 * until

    def _grow(self, thread: Thread, until: int) -> int:
        """Grow a thread's tree until it has counted this many nodes. Return its size."""
        return thread.score(NO_MOVE, min(self.limits.depth or MAX_DEPTH, MAX_DEPTH), until, 0)

    def _root_moves(self) -> list[Direction]:
        """Return the root moves, restrict the threads' roots to them, and seed the random numbers."""
        moves = super()._root_moves()
        for number, thread in enumerate(self.threads):
            thread.state["legal"][0, 0, self.position.you] = sum(1 << move for move in moves)
            rng = random.Random(f"{self.limits.seed} {number}")
            thread.state["own"]["rng"] = 1 + rng.getrandbits(63)
        return moves

    def _read_trees(self) -> None:
        """Adopt the statistics of the trees' roots, the move to play first."""
        roots = [thread.state["own"]["nodes"][0, ROOT] for thread in self.threads]
        you = self.position.you
        visits = sum(root["move_visits"][you] for root in roots)
        values = sum(root["move_values"][you] for root in roots)
        self._visits = visits.tolist()
        moves = []
        for each in self.moves:
            move = each.move
            proven = next(
                (int(root["proven_moves"][move]) for root in roots if root["proven_moves"][move]), None
            )
            # A mean is no proof, even if every visit was lost.
            mean = _heuristic(values[move] / max(1, visits[move]))
            pv = read_pv(self.thread.packed, self.thread.state, move)
            moves.append(RootScore(move, mean if proven is None else proven, len(pv), pv))
        self.moves = sorted(moves, key=self._rank)
        self.depth = self.moves[0].depth

    def _settled_reason(self) -> StopReason | None:
        """Return the reason as usual. Search on if the only move that is left has lost in every visit.

        It may lose sooner than another one.
        """
        reason = super()._settled_reason()
        is_hopeless = self.moves[0].score == _heuristic(-1.0)
        return None if reason is StopReason.ONLY_MOVE and is_hopeless else reason

    def _rank(self, each: RootScore) -> tuple[int, int]:
        """Return a sort key, lower for better moves: proven wins first, then by visits, losses last."""
        if score.is_proven(each.score):
            return (2 if score.is_loss(each.score) else 0), -each.score
        return 1, -self._visits[each.move]

    def _reason_to_report(self, size: int) -> StopReason | None:
        """Return the reason to end the search after a report, with trees of this size, or None to go on."""
        reason = self._settled_reason()
        if reason is not None or not self.limits.depth:
            return reason
        stale = STALE * (size - self._size) < self.thread.nodes - self._nodes
        return StopReason.DEPTH if stale or self.depth >= self.limits.depth else None
