"""Iterative deepening: one turn deeper each time, the last depth's best move first, until a limit is reached.

The answer comes from the last completed depth, or from an incomplete one where that is safe: a move that beat
the former best at the new depth, or any move not yet lost when all looked at so far are.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from searcher.engine.position import Direction, Position
from searcher.engine.result import JointMove, Limits, Result, RootMove, StopReason
from searcher.engine.search import score
from searcher.engine.search.clock import Clock
from searcher.engine.search.pv import read_pv
from searcher.engine.search.thread_state import MAX_DEPTH
from searcher.engine.search.threads import NO_LIMIT, Helpers, Thread

UNKNOWN = 0
"""Counts as the score of a move that nothing is known of."""

OnDepth = Callable[[Result], None]


@dataclass(slots=True)
class RootScore:
    """What is known of one root move: its score at a depth, and the line expected if it was the best."""

    move: Direction
    score: int = -score.INFINITE
    depth: int = 0
    pv: tuple[JointMove, ...] = ()


class Deepening:
    """One search from its root: call `run` once.

    Its first thread leads. Each of the others deepens by itself, every second one a turn ahead; whatever
    depth any of them has completed counts as the search's. `uses_window`: whether the search answers with a bound
    outside of its window, so that null windows pay. `first`: the first depth to look at, if limits allow it.
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
        self.position = position
        self.threads = threads
        self.thread = threads[0]
        self.limits = limits
        self.clock = clock
        self.uses_window = uses_window
        self.first_depth = min(first_depth, limits.depth or MAX_DEPTH)
        self.depth = 0
        self.moves = [RootScore(move) for move in self._root_moves()]
        self.completed = self.depth, self.moves
        self.helpers: list[Deepening] = []

    def run(self, on_depth: OnDepth | None = None) -> Result:
        """Looks deeper until a limit is reached; tells `on_depth` the state after each completed depth."""
        self.helpers = [self._helper(number) for number in range(1, len(self.threads))]
        with Helpers(self.threads[1:], [helper._deepen for helper in self.helpers]):
            return self._deepen(on_depth)

    def _helper(self, number: int) -> "Deepening":
        """A search likewise with one of the other threads."""
        threads, first_depth = [self.threads[number]], 1 + number % 2
        return type(self)(
            self.position,
            threads,
            self.limits,
            self.clock,
            uses_window=self.uses_window,
            first_depth=first_depth,
        )

    def _deepen(self, on_depth: OnDepth | None = None) -> Result:
        while True:
            depth = max(self.depth + 1, self.first_depth)
            reason = self._search_depth(depth)
            if reason is None:
                self.depth = depth
                self.completed = depth, self.moves
            self._adopt_deepest()
            if reason is not None:
                return self.result(reason)
            reason = self._reason_to_stop()
            if on_depth is not None:
                on_depth(self.result(reason))
            if reason is not None:
                return self.result(reason)

    def _adopt_deepest(self) -> None:
        """Takes over the deepest that a helper has completed."""
        for helper in self.helpers:
            # One attribute of both, because the helper goes on meanwhile.
            depth, moves = helper.completed
            if depth > self.depth:
                self.depth, self.moves = depth, moves

    def result(self, reason: StopReason | None) -> Result:
        """The state of the search."""
        best = self.moves[0]
        return Result(
            move=best.move,
            score=score.to_unit(best.score) if best.depth else 0.0,
            depth=self.depth,
            nodes=sum(thread.nodes for thread in self.threads),
            evaluations=sum(thread.evaluations for thread in self.threads),
            table_hits=sum(thread.table_hits for thread in self.threads),
            table_fill=self.thread.table.fill,
            elapsed=self.clock.elapsed,
            stop_reason=reason,
            root_moves=tuple(_root_move(found) for found in self.moves if found.depth),
            principal_variation=best.pv,
        )

    def _root_moves(self) -> list[Direction]:
        legal = self.thread.legal_moves(self.position.you)
        asked = self.limits.root_moves or legal
        moves = [move for move in asked if move in legal] or list(asked)
        if self.limits.seed:
            random.Random(self.limits.seed).shuffle(moves)
        return moves

    def _search_depth(self, depth: int) -> StopReason | None:
        """Scores every root move at a depth and puts the best first; says why it was stopped, if it was."""
        best = -score.INFINITE
        looked_at: list[RootScore] = []
        for number, found in enumerate(self.moves):
            value = self._score(found.move, depth, best, first=number == 0)
            if self.thread.stopped:
                self._keep_what_is_safe(looked_at, self.moves[number:])
                return self._why_stopped()
            if value > best:
                best, pv = value, read_pv(self.thread.packed, self.thread.state)
                looked_at.insert(0, RootScore(found.move, value, depth, pv))
            else:
                looked_at.append(RootScore(found.move, value, depth))
        self.moves = best_first(looked_at)
        return None

    def _score(self, move: Direction, depth: int, best: int, first: bool) -> int:
        """A root move's score if it is above `best`, else a bound of it at most `best`."""
        if first or not self.uses_window:
            return self.thread.score(move, depth, best, score.INFINITE)
        value = self.thread.score(move, depth, best, best + 1)
        if value > best and not self.thread.stopped:
            value = self.thread.score(move, depth, value - 1, score.INFINITE)
        return value

    def _keep_what_is_safe(self, looked_at: list[RootScore], rest: list[RootScore]) -> None:
        looked_at = best_first(looked_at)
        if not looked_at:
            return
        if score.is_loss(looked_at[0].score):
            # What the depth before says of the others, or nothing at all, is better than a sure loss.
            self.moves = best_first([*rest, *looked_at])
        else:
            self.moves = [*looked_at, *rest]

    def _why_stopped(self) -> StopReason:
        if self.clock.stopped:
            return StopReason.CANCELLED
        if self.thread.nodes >= (self.limits.nodes or NO_LIMIT):
            return StopReason.NODES
        return StopReason.DEADLINE

    def _reason_to_stop(self) -> StopReason | None:
        """Why no deeper look is needed or allowed, after a completed depth."""
        found = self._final_reason()
        if found is not None:
            return found
        if self.depth >= min(self.limits.depth or MAX_DEPTH, MAX_DEPTH):
            return StopReason.DEPTH
        if not self.clock.allows_new_depth:
            return StopReason.CANCELLED if self.clock.stopped else StopReason.DEADLINE
        return None

    def _final_reason(self) -> StopReason | None:
        """Why no deeper look can change the answer, after a completed depth."""
        if score.is_proven(self.moves[0].score):
            return StopReason.DECIDED
        # Who names root moves compares them with others, and wants to know how good even a single one is.
        if not self.limits.root_moves and sum(not score.is_loss(found.score) for found in self.moves) == 1:
            return StopReason.ONLY_MOVE
        return None


class OpponentModelDeepening(Deepening):
    """Deepening of a search whose ends rest on what the others are expected to do.

    Among three or more a deeper look may expect something else of them, so that no end decides. Of two the
    one wins what the other loses, so that an end is forced.
    """

    def _final_reason(self) -> StopReason | None:
        forced = len(self.position.snakes) <= 2 or len(self.moves) == 1
        return super()._final_reason() if forced else None


def best_first(moves: list[RootScore]) -> list[RootScore]:
    """By score; the first of equals stays first, because another's score may be a bound."""
    return sorted(moves, key=lambda found: -found.score if found.depth else UNKNOWN)


def _root_move(found: RootScore) -> RootMove:
    return RootMove(found.move, score.to_unit(found.score), found.depth, score.outcome_of(found.score))
