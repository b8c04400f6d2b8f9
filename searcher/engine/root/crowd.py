"""Iterative deepening for `crowd`: where every move seems lost, it trusts the opponents more."""

from searcher.engine.result import StopReason
from searcher.engine.root.deepening import Deepening, OpponentModelDeepening
from searcher.engine.search import score


class CrowdDeepening(OpponentModelDeepening):
    """Deepening that does not believe in a coalition.

    In a crowd a loss of every move is no proof as long as it needs opponents that leave their likely moves.
    So the same depth is searched again with more trust, until a reply that leaves a likely move costs all
    of it. Only if that shows no way out either do all moves count as lost; then the answer is the move that
    survives longest.
    """

    trusts = True
    """Whether this thread may trust the opponents more. Helpers never do, because threads share one table."""

    def _helper(self, number: int) -> Deepening:
        helper = super()._helper(number)
        assert isinstance(helper, CrowdDeepening)
        helper.trusts = False
        return helper

    def _search_depth(self, depth: int) -> StopReason | None:
        former = self.moves
        reason = super()._search_depth(depth)
        while reason is None and self._is_doubtful and self._trust_more(depth):
            self.moves = former
            reason = super()._search_depth(depth)
        return reason

    @property
    def _is_doubtful(self) -> bool:
        """Whether all moves are lost to opponents that may have to act together."""
        return len(self.position.snakes) > 2 and score.is_loss(self.moves[0].score)

    def _adopt_deepest(self) -> None:
        """Adopt what a helper has found, unless this thread trusts the opponents more or would despair."""
        former = self.depth, self.moves
        if not self._trust:
            super()._adopt_deepest()
        if self._is_doubtful:
            self.depth, self.moves = former

    @property
    def _trust(self) -> int:
        return int(self.thread.state["own"]["trust"][0])

    def _trust_more(self, depth: int) -> bool:
        """Raise the trust if it may grow. The table holds only what was found with less, so it is emptied."""
        if not self.trusts or self._trust >= depth:
            return False
        self.thread.state["own"]["trust"] += 1
        self.thread.forget()
        return True
