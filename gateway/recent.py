"""The moves of the last hour, from readings of the metrics, and the newest moves of experiments."""

from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from math import isfinite
from typing import Any

import grpc
from aiohttp import web

from battlesnake_search.record.outcome import LEAST_SEARCHED
from gateway.game.events import Answered, Event
from gateway.metrics import Metrics, Reading
from gateway.play.player import Answer, Source
from gateway.routes.config import Routes

_SPAN = timedelta(hours=1)

_NEWEST, _LEAST = 100, 50
"""The newest moves of an arm that count, and the least moves that say something."""

_MEMORY = 600.0
"""Seconds for which a move counts."""

_ArmKey = tuple[str, str]
"""The path of an arm's snake, and the arm's name."""


class Recent:
    """Differences between the metrics now and an hour ago, or since the gateway's start if that is later."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self.started_at = datetime.now(UTC)
        self._readings: deque[tuple[datetime, Reading]] = deque()
        self.look()

    def look(self) -> None:
        """Keep a reading. The gateway calls this at intervals."""
        now = datetime.now(UTC)
        self._readings.append((now, self._metrics.reading()))
        while now - self._readings[0][0] > _SPAN:
            self._readings.popleft()

    def figures(self) -> dict[str, Any]:
        """Return the numbers of moves and restarts, and quantiles of the time of an answer."""
        since, before = self._readings[0]
        now = self._metrics.reading()
        sources = {source: int(now.sources[source] - before.sources[source]) for source in Source}
        seconds = [
            (bound, count - old) for (bound, count), (_, old) in zip(now.seconds, before.seconds, strict=True)
        ]
        return {
            "since": since,
            "answered": sum(sources.values()),
            "late": int(now.late - before.late),
            "best_so_far": sources[Source.BEST_SO_FAR],
            "reflexes": sources[Source.REFLEX],
            "median_ms": _milliseconds(seconds, 0.5),
            "p99_ms": _milliseconds(seconds, 0.99),
            "searcher_restarts": int(now.restarts - before.restarts),
            "console_restarts": int(now.console_restarts - before.console_restarts),
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
        if isinstance(event, Answered) and len(event.choice.snake.shares) > 1:
            key = event.choice.snake.path, event.choice.arm.name
            moves = self._moves.setdefault(key, deque(maxlen=_NEWEST))
            moves.append((self._now(), _has_failed(event.answer)))

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


def _milliseconds(seconds: list[tuple[float, float]], share: float) -> float | None:
    """Return a quantile of a histogram's seconds, interpolated between the bounds; None without a move."""
    rank = share * seconds[-1][1]
    low = below = 0.0
    for bound, count in seconds:
        if count >= rank > below:
            high = bound if isfinite(bound) else low
            return round(1000 * (low + (high - low) * (rank - below) / (count - below)), 1)
        low, below = bound, count
    return None
