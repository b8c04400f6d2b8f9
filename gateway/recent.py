"""The moves of the last hour, and the newest moves of experiments."""

from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from math import inf, isfinite
from typing import Any

import grpc
from aiohttp import web

from battlesnake_search.record.events import Source
from battlesnake_search.record.outcome import LEAST_SEARCHED
from gateway.game.events import Answered, Event
from gateway.metrics import SECONDS
from gateway.play.player import Answer
from gateway.routes.config import Routes

_SPAN, _STEP = timedelta(hours=1), timedelta(seconds=30)

_BOUNDS = (*SECONDS, inf)


_NEWEST, _LEAST = 100, 50
"""The newest moves of an arm that count, and the least moves that say something."""

_MEMORY = 600.0
"""Seconds for which a move counts."""

_ArmKey = tuple[str, str]
"""The path of an arm's snake, and the arm's name."""


class Recent:
    """The answered moves and the restarts of the last hour, or since the gateway's start if that is later."""

    def __init__(self) -> None:
        self.started_at = datetime.now(UTC)
        self._steps: deque[tuple[datetime, Counter[str | float]]] = deque()
        """The beginning of each half minute, and its counts by name.

        A time is counted under its upper bound.
        """

    def take(self, event: Event) -> None:
        """Count an answered move."""
        if isinstance(event, Answered):
            played = event.played
            bound = _BOUNDS[bisect_left(SECONDS, played.elapsed)]
            self.count(played.source, bound, *(["late"] if played.late_before else ()))

    def count(self, *names: str | float) -> None:
        """Add 1 to the count of each name."""
        now = datetime.now(UTC)
        if not self._steps or now - self._steps[-1][0] >= _STEP:
            self._steps.append((now, Counter()))
            self._forget(now)
        self._steps[-1][1].update(names)

    def _forget(self, now: datetime) -> None:
        while self._steps and now - self._steps[0][0] > _SPAN:
            self._steps.popleft()

    def figures(self) -> dict[str, Any]:
        """Return the numbers of moves and restarts, and quantiles of the time of an answer."""
        now = datetime.now(UTC)
        self._forget(now)
        counts: Counter[str | float] = Counter()
        for _, step in self._steps:
            counts.update(step)
        return {
            "since": max(self.started_at, now - _SPAN),
            "answered": sum(counts[source] for source in Source),
            "late": counts["late"],
            "best_so_far": counts[Source.BEST_SO_FAR],
            "reflexes": counts[Source.REFLEX],
            "median_ms": _milliseconds(counts, 0.5),
            "p99_ms": _milliseconds(counts, 0.99),
            "searcher_restarts": counts["searcher_restarts"],
            "console_restarts": counts["console_restarts"],
        }


class RecentArms:
    """The newest moves of the arms of experiments: whether calls of a searcher fail although it serves.

    `now` reads a monotonic clock in seconds.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._moves: dict[_ArmKey, deque[tuple[float, bool]]] = {}
        """By snake's path and arm, the time of each move, and whether its calls failed without a result."""

    def take(self, event: Event) -> None:
        """Count an answered move of an experiment."""
        if isinstance(event, Answered) and len(event.arm.snake.shares) > 1:
            key = event.arm.snake.path, event.arm.name
            moves = self._moves.setdefault(key, deque(maxlen=_NEWEST))
            moves.append((self._now(), _has_failed(event.played)))

    def unsearched(self, routes: Routes) -> list[str]:
        """Return a sentence for each arm of the routes that is hardly searched because calls fail.

        Old moves don't count: a gateway that gets no games because it is not ready becomes ready again.
        """
        oldest = self._now() - _MEMORY
        keys = {(snake.path, arm.name) for snake in routes.snakes for arm in snake.drawn}
        self._moves = {key: moves for key, moves in self._moves.items() if key in keys}
        found = []
        for (path, arm), moves in self._moves.items():
            failed = [has_failed for time, has_failed in moves if time >= oldest]
            if len(failed) >= _LEAST and failed.count(False) < LEAST_SEARCHED * len(failed):
                calls = f"calls of its searcher failed for {sum(failed)} of the last {len(failed)} moves"
                found.append(f"{path}, arm {arm} is hardly searched: {calls}")
        return found


def _has_failed(answer: Answer) -> bool:
    """Return whether no search found the move, because calls failed.

    A busy searcher does not count, because strangers can send any number of moves.
    """
    codes = {failure.code for failure in answer.failures if not failure.is_compiling}
    return answer.result is None and bool(codes - {grpc.StatusCode.RESOURCE_EXHAUSTED})


RECENT = web.AppKey("recent", Recent)


def _milliseconds(counts: Mapping[str | float, int], share: float) -> float | None:
    """Return a quantile of the times, interpolated between their bounds; None without a move."""
    rank = share * sum(counts.get(bound, 0) for bound in _BOUNDS)
    low = below = 0.0
    for bound in _BOUNDS:
        number = counts.get(bound, 0)
        if below + number >= rank > below:
            high = bound if isfinite(bound) else low
            return round(1000 * (low + (high - low) * (rank - below) / number), 1)
        low, below = bound, below + number
    return None
