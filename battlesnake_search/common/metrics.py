"""Metrics of all services: the version, the number of simultaneous things, and delays of the event loop."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from importlib.metadata import PackageNotFoundError, version

from prometheus_client import CollectorRegistry, Gauge, Histogram
from prometheus_client.core import CounterMetricFamily, InfoMetricFamily
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

_PACKAGE = "battlesnake-search"


def installed_version() -> str:
    """Return the version of the project; "unknown" if it runs without having been installed."""
    try:
        return version(_PACKAGE)
    except PackageNotFoundError:
        return "unknown"


class BuildInfo(Collector):
    """A metric with the constant value 1. Its labels describe the program, looked up at each reading."""

    def __init__(
        self, service: str, registry: CollectorRegistry, details: Callable[[], Mapping[str, str]] = dict
    ) -> None:
        self._name = f"{service}_build"
        self._details = details
        registry.register(self)

    def collect(self) -> Iterable[InfoMetricFamily]:
        """Yield the metric."""
        labels = {"version": installed_version(), **self._details()}
        yield InfoMetricFamily(self._name, "Version of the running code.", value=labels)


class Demand(Collector):
    """A counter of the time that things took: the integral of their number over time.

    The counter's rate is the average number of concurrent things, even if it is read seldom. One thread
    changes it, and another thread may read it.
    """

    def __init__(
        self,
        name: str,
        documentation: str,
        registry: CollectorRegistry,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name, self._documentation = name, documentation
        self._now = now
        self._state = (now(), 0, 0.0)
        """The time of the last change, the number since then, and the integral until then."""
        registry.register(self)

    def set(self, number: int) -> None:
        """Set the number of things from now on."""
        now = self._now()
        self._state = (now, number, self._integral(now))

    @property
    def seconds(self) -> float:
        """The integral until now."""
        return self._integral(self._now())

    def collect(self) -> Iterable[CounterMetricFamily]:
        """Yield the counter, in seconds."""
        yield CounterMetricFamily(self._name, self._documentation, value=self.seconds)

    def _integral(self, now: float) -> float:
        since, number, integral = self._state
        return integral + number * max(0.0, now - since)


_INTERVAL = 1.0
"""Seconds between two measurements. With less, an idle machine would stay awake."""

_LAGS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class EventLoopMetrics:
    """The tasks and the lag of an event loop. `service` is the prefix of the metrics' names."""

    def __init__(self, service: str, registry: CollectorRegistry) -> None:
        self._tasks = Gauge(f"{service}_tasks", "Tasks of the event loop.", registry=registry)
        self._lag = Histogram(
            f"{service}_event_loop_lag_seconds",
            "Delay of a due call in the event loop, measured once a second.",
            buckets=_LAGS,
            registry=registry,
        )

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Measure the running event loop until the block ends."""
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


_END = b"# EOF\n"
"""The last line of metrics in the format OpenMetrics."""


def exposition(registry: CollectorRegistry, accept: str) -> tuple[bytes, str]:
    """Return a registry's metrics and their content type.

    `accept` is the header of the request. Readers that accept OpenMetrics get exemplars as well.
    """
    encode, content_type = choose_encoder(accept)
    return encode(registry), content_type


def joined(first: bytes, second: bytes) -> bytes:
    """Join two texts of the same format. They must have different metrics."""
    return first.removesuffix(_END) + second if second else first
