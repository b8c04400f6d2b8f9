"""All Prometheus metrics of a searcher."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

from battlesnake_search.common import tracing
from battlesnake_search.common.metrics import BuildInfo, Demand, EventLoopMetrics
from battlesnake_search.serving.metrics_port import MetricsPorts, PortMetrics
from searcher.engine.jit.code_cache import TARGET, is_prebuilt, source_digest
from searcher.engine.result import Result, StopReason
from searcher.serving.load_report import LoadReport

_FAILED = "failed"
"""The stop reason of a search that ended with an error."""

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.75, 1, 2, 5, 10, 60)
_WAITS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 1, 5)
_OVERRUNS = (0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.02, 0.05, 0.1, 0.5)
_SHARES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1)
_DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 25, 30, 50, 100)


def stop_reason_of(result: Result | None) -> str:
    """Return the stop reason of a search as a label."""
    return (result.stop_reason or StopReason.DEADLINE).value if result else _FAILED


class SearchMetrics:
    """The metrics of searches. One thread may write them, and another thread may read them."""

    def __init__(self, registry: CollectorRegistry) -> None:
        strategy = ["strategy"]
        self._searches = Counter(
            "searcher_searches", "Searches that have ended.", [*strategy, "stop_reason"], registry=registry
        )
        self._seconds = Histogram(
            "searcher_search_seconds",
            "Time that a search took.",
            strategy,
            buckets=_SECONDS,
            registry=registry,
        )
        self._depth = Histogram(
            "searcher_search_depth",
            "Turns that a search completed.",
            strategy,
            buckets=_DEPTHS,
            registry=registry,
        )
        self._nodes = Counter("searcher_search_nodes", "Nodes searched.", strategy, registry=registry)
        self._wait = Histogram(
            "searcher_queue_wait_seconds",
            "Time that a search waited for a worker.",
            buckets=_WAITS,
            registry=registry,
        )
        self._share = Histogram(
            "searcher_time_share_ratio",
            "Share of the requested time that a search got; only of searches that used all of their time.",
            buckets=_SHARES,
            registry=registry,
        )
        self._overrun = Histogram(
            "searcher_overrun_seconds",
            "Time from a search's deadline to its result; 0 for a result in time.",
            buckets=_OVERRUNS,
            registry=registry,
        )
        self._starved = Counter(
            "searcher_starved_seconds",
            "Time that running searches waited for a processor.",
            registry=registry,
        )
        self._refused = _refusals(registry)
        self.workers = Gauge("searcher_workers", "Searches that can run at once.", registry=registry)
        self._running = Gauge("searcher_searches_running", "Searches that run.", registry=registry)
        self._waiting = Gauge(
            "searcher_searches_waiting", "Searches that wait for a worker.", registry=registry
        )
        self.demand = Demand(
            "searcher_demand_seconds",
            "Time that searches ran and waited; its rate is the average number of searches at once.",
            registry,
        )
        self.load = LoadReport(lambda: self.demand.seconds)

    def occupy(self, running: int, waiting: int) -> None:
        """Set the number of running searches, and the number of waiting searches."""
        self._running.set(running)
        self._waiting.set(waiting)
        self.demand.set(running + waiting)

    def count(
        self,
        strategy: str,
        result: Result | None,
        *,
        asked: float,
        waited: float,
        searched: float,
        starved: float,
        overrun: float,
    ) -> None:
        """Count a search that a worker has ended, in the context of its request. A failed one has no result.

        Times are in seconds. `asked` is the time from the search's admission to its deadline. In this time it
        `waited` for a worker and then `searched`. `starved` is the part of `searched` without a processor.
        `overrun` is the time from the deadline to the result, 0 or less for a result in time.
        """
        reason = stop_reason_of(result)
        self._searches.labels(strategy, reason).inc()
        self._starved.inc(starved)
        self.load.count(searched, starved)
        exemplar = tracing.exemplar()
        self._wait.observe(waited, exemplar)
        self._overrun.observe(max(0.0, overrun), exemplar)
        if result is None:
            return
        self._seconds.labels(strategy).observe(searched, exemplar)
        self._depth.labels(strategy).observe(result.depth, exemplar)
        self._nodes.labels(strategy).inc(result.nodes)
        if reason == StopReason.DEADLINE.value and asked > 0:
            self._share.observe(min(1.0, searched / asked))

    def count_refused(self, code: str) -> None:
        """Count a request without a search."""
        self._refused.labels(code).inc()


class AnalysisMetrics:
    """The metrics of analyses. They are not part of the demand, because they need no further searchers."""

    def __init__(self, registry: CollectorRegistry) -> None:
        strategy = ["strategy"]
        self._analyses = Counter(
            "searcher_analyses",
            "Searches of AnalyzeGame that have ended.",
            [*strategy, "stop_reason"],
            registry=registry,
        )
        self._seconds = Histogram(
            "searcher_analysis_seconds",
            "Time that a search of AnalyzeGame took.",
            strategy,
            buckets=_SECONDS,
            registry=registry,
        )
        self._nodes = Counter(
            "searcher_analysis_nodes", "Nodes searched for AnalyzeGame.", strategy, registry=registry
        )
        self._interrupted = Counter(
            "searcher_analyses_interrupted",
            "Searches of AnalyzeGame that gave back their worker, to begin again.",
            registry=registry,
        )
        self._running = Gauge(
            "searcher_analyses_running", "Searches of AnalyzeGame that run.", registry=registry
        )
        self._waiting = Gauge(
            "searcher_analyses_waiting",
            "Searches of AnalyzeGame that wait for a free worker.",
            registry=registry,
        )

    def occupy(self, running: int, waiting: int) -> None:
        """Set the number of running searches, and the number of waiting searches."""
        self._running.set(running)
        self._waiting.set(waiting)

    def count(self, strategy: str, result: Result | None, seconds: float) -> None:
        """Count a search that has ended. A failed one has no result."""
        self._analyses.labels(strategy, stop_reason_of(result)).inc()
        self._seconds.labels(strategy).observe(seconds)
        self._nodes.labels(strategy).inc(result.nodes if result else 0)

    def count_interrupted(self) -> None:
        """Count a search that has given back its worker."""
        self._interrupted.inc()


def _refusals(registry: CollectorRegistry) -> Counter:
    """Return the counter of requests without a search."""
    refused = Counter(
        "searcher_searches_refused",
        "Requests that got no search, by gRPC status code.",
        ["code"],
        registry=registry,
    )
    # A rate misses the first event if the counter appears only with that event.
    for code in ("RESOURCE_EXHAUSTED", "UNAVAILABLE", "INVALID_ARGUMENT"):
        refused.labels(code)
    return refused


class Metrics:
    """The metrics of one searcher. Threads may read it."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.port = PortMetrics("searcher", registry)
        self.searches = SearchMetrics(registry)
        self.analyses = AnalysisMetrics(registry)
        self._serving = Gauge(
            "searcher_serving", "1 while the searcher takes searches, else 0.", registry=registry
        )
        self._parts = Gauge(
            "searcher_compile_parts",
            "Parts of code to compile, at the start and when searches need more.",
            ["state"],
            registry=registry,
        )
        self.count_parts(0, 0)
        self.ports = MetricsPorts(registry, EventLoopMetrics("searcher", registry))
        BuildInfo("searcher", registry, _code)
        # A gateway shows these metrics beside its own.
        ProcessCollector("searcher", registry=registry)

    def set_serving(self, serving: bool) -> None:
        """Set whether the searcher takes searches."""
        self._serving.set(serving)

    def count_parts(self, done: int, total: int) -> None:
        """Set the number of compiled parts and of all parts."""
        self._parts.labels("done").set(done)
        self._parts.labels("waiting").set(total - done)


def _code() -> dict[str, str]:
    return {"code": "prebuilt" if is_prebuilt() else "compiled", "target": TARGET, "digest": source_digest()}
