"""How late an event loop is."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from prometheus_client import CollectorRegistry, Gauge, Histogram

_INTERVAL = 1.0
"""Seconds between two looks. More of them would keep an idle machine awake."""

_LAGS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class EventLoopMetrics:
    """The tasks and the lag of an event loop. `service` is the prefix of the metrics' names."""

    def __init__(self, service: str, registry: CollectorRegistry) -> None:
        self._tasks = Gauge(f"{service}_tasks", "Tasks of the event loop.", registry=registry)
        self._lag = Histogram(
            f"{service}_event_loop_lag_seconds",
            "How late the event loop calls what is due, looked at once a second.",
            buckets=_LAGS,
            registry=registry,
        )

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Look at the running event loop until the block ends."""
        loop = asyncio.get_running_loop()
        self._tasks.set_function(lambda: len(asyncio.all_tasks(loop)))
        watch = asyncio.create_task(_watch(self._lag.observe))
        try:
            yield
        finally:
            watch.cancel()


async def _watch(observe: Callable[[float], None]) -> None:
    now = asyncio.get_running_loop().time
    while True:
        due = now() + _INTERVAL
        await asyncio.sleep(_INTERVAL)
        observe(max(0.0, now() - due))
