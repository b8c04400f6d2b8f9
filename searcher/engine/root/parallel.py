"""Iterative deepening with the root moves looked at side by side, all of them to the same depth.

For searches whose scores are exact: no root move needs to know what another one came to, so each thread takes
the next that is left. The answer is the same with any number of threads.
"""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

from searcher.engine.position import Direction
from searcher.engine.result import Result, StopReason
from searcher.engine.root.deepening import Deepening, OnDepth, RootScore, best_first
from searcher.engine.search.pv import read_pv
from searcher.engine.search.score import INFINITE, is_proven
from searcher.engine.search.threads import NO_LIMIT, Thread


class ParallelDeepening(Deepening):
    """As Deepening, but that no move is judged by a depth at which another one was not looked at.

    Of a depth that was not completed only proven ends are kept, which no deeper look can change. A limit of
    nodes is one of each thread; the first that reaches it ends the search.
    """

    def run(self, on_depth: OnDepth | None = None) -> Result:
        """Looks deeper until a limit is reached; tells `on_depth` the state after each completed depth."""
        self._idle: SimpleQueue[Thread] = SimpleQueue()
        for thread in self.threads:
            self._idle.put(thread)
        with ThreadPoolExecutor(len(self.threads), "direction") as self._pool:
            return self._deepen(on_depth)

    def _search_depth(self, depth: int) -> StopReason | None:
        """Scores every root move at a depth and puts the best first; says why it was stopped, if it was."""
        looked_at = list(self._pool.map(lambda found: self._search_move(found.move, depth), self.moves))
        completed = [found for found in looked_at if found is not None]
        if len(completed) < len(looked_at):
            self._keep_what_is_proven(completed)
            return self._why_stopped()
        self.moves = best_first(completed)
        return None

    def _search_move(self, move: Direction, depth: int) -> RootScore | None:
        """What an idle thread finds of a root move; None if it was stopped. One that is stops them all."""
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

    def _keep_what_is_proven(self, completed: Iterable[RootScore]) -> None:
        proven = {found.move: found for found in completed if is_proven(found.score)}
        self.moves = best_first([proven.get(found.move, found) for found in self.moves])

    def _why_stopped(self) -> StopReason:
        if any(thread.nodes >= (self.limits.nodes or NO_LIMIT) for thread in self.threads):
            return StopReason.NODES
        return super()._why_stopped()
