"""Iterative deepening for `crowd`: where every move seems lost, it trusts the opponents more."""

from searcher.engine.result import StopReason
from searcher.engine.root.deepening import Deepening, OpponentModelDeepening
from searcher.engine.search import score

MOST_TRUST = 3
"""The most turns of depth that a reply of a neighbour costs in which it leaves its likely move."""


class CrowdDeepening(OpponentModelDeepening):
    """Deepening that does not believe in a coalition.

    In a crowd a loss of every move is no proof as long as it needs opponents that leave their likely moves.
    So the same depth is searched again with more trust. All moves count as lost only once the most trust
    shows no way out either; then the answer is the move that survives longest.
    """

    most_trust = MOST_TRUST
    """The most trust of this thread; helpers never trust, because threads share one table."""

    def _helper(self, number: int) -> Deepening:
        helper = super()._helper(number)
        assert isinstance(helper, CrowdDeepening)
        helper.most_trust = 0
        return helper

    def _search_depth(self, depth: int) -> StopReason | None:
        former = self.moves
        reason = super()._search_depth(depth)
        while reason is None and self._is_doubtful and self._trust_more():
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

    def _trust_more(self) -> bool:
        """Raise the trust if it may grow. The table holds only what was found with less, so it is emptied."""
        if self._trust == self.most_trust:
            return False
        self.thread.state["own"]["trust"] += 1
        self.thread.forget()
        return True
