"""Iterative deepening: each search is one turn deeper, and starts with the best move of the last depth.

The answer comes from the last completed depth, or from an incomplete depth in two safe cases. If a move has
beaten the former best move at the new depth, that move is the answer. If all moves searched at the new depth
are lost, the answer is one of the other moves. `ParallelDeepening` keeps proven scores instead.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue

from searcher.engine.position import Direction, Position
from searcher.engine.result import JointMove, Limits, Result, RootMove, ScoreKind, StopReason
from searcher.engine.search import score
from searcher.engine.search.clock import Clock
from searcher.engine.search.ply import read_pv
from searcher.engine.search.score import INFINITE, is_proven
from searcher.engine.search.state import MAX_DEPTH
from searcher.engine.search.threads import NO_LIMIT, Thread, helping

UNSEARCHED_SCORE = 0
"""The score that ranks a move that has not been searched."""

OnDepth = Callable[[Result], None]
"""A function that receives the result of each completed depth, in the thread that searches."""


@dataclass(slots=True)
class RootScore:
    """A root move's score at a depth, and its principal variation if it was the best move.

    `is_bound`: whether the score is only an upper bound.
    """

    move: Direction
    score: int = -score.INFINITE
    depth: int = 0
    pv: tuple[JointMove, ...] = ()
    is_bound: bool = False

    @property
    def is_proven(self) -> bool:
        """Whether the score is a proven end. A bound proves only a loss, because no score is worse."""
        return score.is_proven(self.score) and (not self.is_bound or score.is_loss(self.score))


class Deepening:
    """One search from its root. Call `run` once.

    The first thread leads. Each helper thread deepens by itself. Every second helper is one turn ahead. The
    deepest depth that any thread has completed is the search's depth. `uses_window`: whether the search may
    return bounds outside its window, so that null windows save work. `first_depth`: the depth to start with,
    unless the limit of depth is lower.
    """

    takes_helpers = True
    """Whether a thread may end before the others."""

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
        """Search deeper until a limit is reached. Call `on_depth` with the result of each completed depth."""
        self.helpers = [self._helper(number) for number in range(1, len(self.threads))]
        with helping(self.threads[1:], [helper._deepen for helper in self.helpers]):
            return self._deepen(on_depth)

    def _helper(self, number: int) -> "Deepening":
        """Return the same search with one of the other threads."""
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
        """Adopt the deepest depth that a helper has completed, if it is deeper."""
        for helper in self.helpers:
            # One attribute has both values, because the helper keeps searching.
            depth, moves = helper.completed
            if depth > self.depth:
                self.depth, self.moves = depth, moves

    def result(self, reason: StopReason | None) -> Result:
        """Return the result so far. `reason` is None while the search goes on."""
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
            root_moves=tuple(_root_move(each) for each in self.moves if each.depth),
            principal_variation=best.pv,
        )

    def _root_moves(self) -> list[Direction]:
        legal = self.thread.legal_moves(self.position.you)
        requested = self.limits.root_moves or legal
        moves = [move for move in requested if move in legal] or list(requested)
        if self.limits.seed:
            random.Random(self.limits.seed).shuffle(moves)
        return moves

    def _search_depth(self, depth: int) -> StopReason | None:
        """Score every root move at a depth and sort the moves. Return the reason of a stop, or None."""
        best = -score.INFINITE
        searched: list[RootScore] = []
        for number, each in enumerate(self.moves):
            value = self._score_move(each.move, depth, best, first=number == 0)
            if self.thread.stopped:
                self._adopt_incomplete_depth(searched, self.moves[number:])
                return self._stop_reason()
            if value > best:
                best, pv = value, read_pv(self.thread.packed, self.thread.state)
                searched.insert(0, RootScore(each.move, value, depth, pv))
            else:
                searched.append(RootScore(each.move, value, depth, is_bound=self.uses_window))
        self.moves = sort_best_first(searched)
        return None

    def _score_move(self, move: Direction, depth: int, best: int, first: bool) -> int:
        """Return a root move's score if the score is above `best`, or else an upper bound up to `best`."""
        if first or not self.uses_window:
            return self.thread.score(move, depth, best, score.INFINITE)
        value = self.thread.score(move, depth, best, best + 1)
        if value > best and not self.thread.stopped:
            value = self.thread.score(move, depth, value - 1, score.INFINITE)
        return value

    def _adopt_incomplete_depth(self, searched: list[RootScore], rest: list[RootScore]) -> None:
        """Adopt the moves searched at a stopped depth in the two safe cases."""
        searched = sort_best_first(searched)
        if not searched:
            return
        if score.is_loss(searched[0].score):
            # A move with a score of the last depth, or without a score, is better than a certain loss.
            self.moves = sort_best_first([*rest, *searched])
        else:
            self.moves = [*searched, *rest]

    def _stop_reason(self) -> StopReason:
        """Return the reason of a stop within a depth."""
        if self.clock.stopped:
            return StopReason.CANCELLED
        if self.thread.nodes >= (self.limits.nodes or NO_LIMIT):
            return StopReason.NODES
        return StopReason.DEADLINE

    def _reason_to_stop(self) -> StopReason | None:
        """Return the reason to end the search after a completed depth, or None to go on."""
        reason = self._settled_reason()
        if reason is not None:
            return reason
        if self.depth >= min(self.limits.depth or MAX_DEPTH, MAX_DEPTH):
            return StopReason.DEPTH
        if not self.clock.allows_new_depth:
            return StopReason.CANCELLED if self.clock.stopped else StopReason.DEADLINE
        return None

    def _settled_reason(self) -> StopReason | None:
        """Return the reason why a deeper search can't change the answer, or None if it can."""
        if score.is_settled(self.moves[0].score):
            return StopReason.DECIDED
        # A caller that names root moves compares scores, so it needs the score even of a single move.
        if not self.limits.root_moves and sum(not score.is_loss(each.score) for each in self.moves) == 1:
            return StopReason.ONLY_MOVE
        return None


class OpponentModelDeepening(Deepening):
    """Deepening of a search whose proven scores rest on a model of the opponents.

    With three or more snakes a deeper search may expect other moves of the opponents, so a win or loss does
    not end the search. With two snakes every win or loss is forced, because one snake wins if the other
    loses.
    """

    def _settled_reason(self) -> StopReason | None:
        forced = len(self.position.snakes) <= 2 or len(self.moves) == 1
        return super()._settled_reason() if forced else None


def sort_best_first(moves: list[RootScore]) -> list[RootScore]:
    """Return the moves sorted by score. Ties keep their order, because a later score may be a bound."""
    return sorted(moves, key=lambda each: -each.score if each.depth else UNSEARCHED_SCORE)


def _root_move(each: RootScore) -> RootMove:
    outcome = score.outcome_of(each.score) if each.is_proven else None
    is_bound = each.is_bound and not score.is_loss(each.score)
    kind = ScoreKind.UPPER_BOUND if is_bound else ScoreKind.EXACT
    return RootMove(each.move, score.to_unit(each.score), each.depth, outcome, kind)


class ParallelDeepening(Deepening):
    """Deepening that searches the root moves in parallel, and all moves to the same depth.

    It is for searches with exact scores. No move needs another move's score, so each idle thread takes the
    next root move, and the answer is the same with any number of threads. Scores of different depths are not
    comparable unless they are proven. So from an incomplete depth only proven scores are kept. A limit of
    nodes applies to each thread. The first thread that reaches it ends the search.
    """

    takes_helpers = False

    def run(self, on_depth: OnDepth | None = None) -> Result:
        """Search deeper until a limit is reached. Call `on_depth` with the result of each completed depth."""
        self._idle: SimpleQueue[Thread] = SimpleQueue()
        for thread in self.threads:
            self._idle.put(thread)
        with ThreadPoolExecutor(len(self.threads), "direction") as self._pool:
            return self._deepen(on_depth)

    def _search_depth(self, depth: int) -> StopReason | None:
        """Score every root move at a depth and sort the moves. Return the reason of a stop, or None."""
        searched = list(self._pool.map(lambda each: self._search_move(each.move, depth), self.moves))
        completed = [each for each in searched if each is not None]
        if len(completed) < len(searched):
            self._adopt_proven(completed)
            return self._stop_reason()
        self.moves = sort_best_first(completed)
        return None

    def _search_move(self, move: Direction, depth: int) -> RootScore | None:
        """Return a root move's score by an idle thread. Return None after a stop, and stop all threads."""
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
