"""How many things go on at once, now and on average."""

import time
from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector


class Demand(Collector):
    """A counter of the time that things took: the integral of their number, which changes in between.

    Its rate is the average number of things at once, however seldom it is read. Use it in one thread; it may
    be read in another one.
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
        """When the number changed, the number since then, and the integral until then."""
        registry.register(self)

    def set(self, number: int) -> None:
        """Set the number of things that go on from now."""
        now = self._now()
        self._state = (now, number, self._integral(now))

    def add(self, number: int) -> None:
        """Change the number of things that go on from now."""
        self.set(self._state[1] + number)

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
