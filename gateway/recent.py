"""The moves of the last hour, from readings of the metrics."""

from collections import deque
from datetime import UTC, datetime, timedelta
from math import isfinite
from typing import Any

from aiohttp import web

from gateway.metrics import Metrics, Reading
from gateway.play.player import Source

_SPAN = timedelta(hours=1)


class Recent:
    """Differences between the metrics now and an hour ago, or since the gateway's start if that is later."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self.started_at = datetime.now(UTC)
        self._readings: deque[tuple[datetime, Reading, float, float]] = deque()
        self.look()

    def look(self) -> None:
        """Keep a reading. The gateway calls this at intervals."""
        now = datetime.now(UTC)
        metrics = self._metrics
        self._readings.append((now, metrics.moves.reading(), metrics.restarts, metrics.console_restarts))
        while now - self._readings[0][0] > _SPAN:
            self._readings.popleft()

    def figures(self) -> dict[str, Any]:
        """Return the numbers of moves and restarts, and quantiles of the time of an answer."""
        since, before, restarts, console_restarts = self._readings[0]
        now = self._metrics.moves.reading()
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
            "searcher_restarts": int(self._metrics.restarts - restarts),
            "console_restarts": int(self._metrics.console_restarts - console_restarts),
        }


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
