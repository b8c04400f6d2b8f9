"""What searches found, how long they waited and how much of their time they got."""

from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from battlesnake_search.common import tracing
from battlesnake_search.common.metrics import Demand
from searcher.serving.metrics.load_report import LoadReport, Work

FAILED = "failed"
"""The stop reason of a search that ended with an error."""

CUT = "deadline"
"""The stop reason of a search that used all the time it got."""

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.75, 1, 2, 5, 10, 60)
_WAITS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 1, 5)
_OVERRUNS = (0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.02, 0.05, 0.1, 0.5)
_SHARES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1)
_DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 25, 30, 50, 100)


@dataclass(frozen=True, slots=True)
class Ended:
    """A search that a worker has ended. Times are in seconds.

    `asked` is from the search's admission to its deadline, of which it `waited` and then `searched`.
    Meanwhile it was `starved` of a processor for some time. `overrun` is the time from its deadline to its
    result; 0 or less for a result in time.
    """

    strategy: str
    stop_reason: str
    depth: int
    nodes: int
    asked: float
    waited: float
    searched: float
    starved: float
    overrun: float


class SearchMetrics:
    """The metrics of searches. Use it in one thread; it may be read in another one."""

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
            "Part of the time asked for that a search got, of searches that used all they got.",
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
            "Time that running searches waited for a processor, which others had.",
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
        self._searched_so_far = self._starved_so_far = 0.0
        self.load = LoadReport(lambda: Work(self.demand.seconds, self._searched_so_far, self._starved_so_far))

    def occupy(self, running: int, waiting: int) -> None:
        """Set how many searches run and wait from now."""
        self._running.set(running)
        self._waiting.set(waiting)
        self.demand.set(running + waiting)

    def count(self, ended: Ended) -> None:
        """Count a search that has ended, in the context of its request."""
        self._searches.labels(ended.strategy, ended.stop_reason).inc()
        self._starved.inc(ended.starved)
        self._searched_so_far += ended.searched
        self._starved_so_far += ended.starved
        exemplar = tracing.exemplar()
        self._wait.observe(ended.waited, exemplar)
        self._overrun.observe(max(0.0, ended.overrun), exemplar)
        if ended.stop_reason == FAILED:
            return
        self._seconds.labels(ended.strategy).observe(ended.searched, exemplar)
        self._depth.labels(ended.strategy).observe(ended.depth, exemplar)
        self._nodes.labels(ended.strategy).inc(ended.nodes)
        if ended.stop_reason == CUT and ended.asked > 0:
            self._share.observe(min(1.0, ended.searched / ended.asked))

    def count_refused(self, code: str) -> None:
        """Count a request that got no search."""
        self._refused.labels(code).inc()


def _refusals(registry: CollectorRegistry) -> Counter:
    """Return the counter of requests that got no search."""
    refused = Counter(
        "searcher_searches_refused",
        "Requests that got no search, by gRPC status code.",
        ["code"],
        registry=registry,
    )
    # A rate over a counter that appears only with its first event misses that event.
    for code in ("RESOURCE_EXHAUSTED", "UNAVAILABLE", "INVALID_ARGUMENT"):
        refused.labels(code)
    return refused
