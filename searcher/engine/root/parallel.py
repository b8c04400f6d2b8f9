"""Iterative deepening that searches the root moves in parallel, all of them to the same depth.

For searches whose scores are exact: no root move needs another one's score, so each idle thread takes the
next root move. The answer is the same with any number of threads.
"""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

from searcher.engine.position import Direction
from searcher.engine.result import Result, StopReason
from searcher.engine.root.deepening import Deepening, OnDepth, RootScore, sort_best_first
from searcher.engine.search.pv import read_pv
from searcher.engine.search.score import INFINITE, is_proven
from searcher.engine.search.threads import NO_LIMIT, Thread


class ParallelDeepening(Deepening):
    """Deepening that never compares scores of different depths, except proven ones.

    From an incomplete depth it keeps only proven scores, which no deeper search can change. A limit of nodes
    applies to each thread; the first thread that reaches it ends the search.
    """

    def run(self, on_depth: OnDepth | None = None) -> Result:
        """Search deeper until a limit is reached; call `on_depth` with the result of each completed depth."""
        self._idle: SimpleQueue[Thread] = SimpleQueue()
        for thread in self.threads:
            self._idle.put(thread)
        with ThreadPoolExecutor(len(self.threads), "direction") as self._pool:
            return self._deepen(on_depth)

    def _search_depth(self, depth: int) -> StopReason | None:
        """Score every root move at a depth and sort the moves; return why the search was stopped, or None."""
        searched = list(self._pool.map(lambda each: self._search_move(each.move, depth), self.moves))
        completed = [each for each in searched if each is not None]
        if len(completed) < len(searched):
            self._adopt_proven(completed)
            return self._stop_reason()
        self.moves = sort_best_first(completed)
        return None

    def _search_move(self, move: Direction, depth: int) -> RootScore | None:
        """Return a root move's score by an idle thread; None if it was stopped, which stops all threads."""
        thread = self._idle.get()
        try:
            value = thread.score(move, depth, -INFINITE, INFINITE)
            if not thread.stopped:
                return RootScore(move, value, depth, read_pv(thread.packed, thread.state))
            for other in self.threads:
                other.stop()
            return None
        finally:
            self._idle.put(thread)

    def _adopt_proven(self, completed: Iterable[RootScore]) -> None:
        """Adopt the proven scores of a depth that was stopped."""
        proven = {each.move: each for each in completed if is_proven(each.score)}
        self.moves = sort_best_first([proven.get(each.move, each) for each in self.moves])

    def _stop_reason(self) -> StopReason:
        if any(thread.nodes >= (self.limits.nodes or NO_LIMIT) for thread in self.threads):
            return StopReason.NODES
        return super()._stop_reason()
