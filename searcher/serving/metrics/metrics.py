"""All Prometheus metrics of a searcher, in a registry of their own."""

from contextlib import AsyncExitStack

from prometheus_client import CollectorRegistry, Gauge, ProcessCollector

from battlesnake_search.common.metrics import BuildInfo, EventLoopMetrics
from searcher.engine.jit.code_cache import TARGET, is_prebuilt, source_digest
from searcher.serving.metrics.listening import Listener
from searcher.serving.metrics.port import PortMetrics
from searcher.serving.metrics.searches import SearchMetrics


class Metrics:
    """The metrics of one searcher. Threads may read it."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.port = PortMetrics(registry)
        self.searches = SearchMetrics(registry)
        self._serving = Gauge(
            "searcher_serving", "1 while the searcher takes searches, else 0.", registry=registry
        )
        self._parts = Gauge(
            "searcher_compile_parts", "Parts of code to compile at the start.", ["state"], registry=registry
        )
        self.count_parts(0, 0)
        self._loop = EventLoopMetrics("searcher", registry)
        BuildInfo("searcher", registry, _code)
        # A gateway shows these beside its own.
        ProcessCollector("searcher", registry=registry)
        self._running = AsyncExitStack()
        self._listeners: list[Listener] = []

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where they are served, with the actual port in place of port 0."""
        return tuple(listener.address for listener in self._listeners)

    def set_serving(self, serving: bool) -> None:
        """Set whether the searcher takes searches."""
        self._serving.set(serving)

    def count_parts(self, done: int, total: int) -> None:
        """Set how many parts are compiled of all that have to be."""
        self._parts.labels("done").set(done)
        self._parts.labels("waiting").set(total - done)

    async def listen(self, address: str) -> None:
        """Serve /metrics at host:port or unix:PATH as well. Raises ListenError if it can't listen there."""
        if not self._listeners:
            await self._running.enter_async_context(self._loop.watching())
        self._listeners.append(Listener(address, self.registry))

    async def close(self) -> None:
        """Stop serving, if it serves."""
        await self._running.aclose()
        for listener in self._listeners:
            listener.close()


def _code() -> dict[str, str]:
    return {"code": "prebuilt" if is_prebuilt() else "compiled", "target": TARGET, "digest": source_digest()}
