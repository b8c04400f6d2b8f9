"""Answered moves and their searches."""

from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Histogram

from battlesnake_search.board import Turn
from gateway.play.player import Answer, Source
from gateway.routes.config import Choice
from telemetry import tracing
from telemetry.demand import Demand

_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.6, 0.8, 1, 2, 5)
_OVERHEAD = (
    *(0.0005, 0.001, 0.0015, 0.00175, 0.002, 0.00225, 0.0025),
    *(0.003, 0.004, 0.005, 0.0075, 0.01, 0.02, 0.05, 0.1),
)
DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 25, 30, 50, 100)
"""The bounds of depths, in turns."""

_ARM = ["snake", "arm"]


class MoveMetrics:
    """The metrics of answered moves."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._by_source = Counter("gateway_moves", "Answered moves.", ["source"], registry=registry)
        self._by_arm = Counter("gateway_arm_moves", "Answered moves by arm.", _ARM, registry=registry)
        self._seconds = Histogram(
            "gateway_move_seconds",
            "Time from a move request's arrival to its answer.",
            buckets=_SECONDS,
            registry=registry,
        )
        self._overhead = Histogram(
            "gateway_overhead_seconds",
            "Time that the gateway took in addition to a completed search.",
            buckets=_OVERHEAD,
            registry=registry,
        )
        self._depth = Histogram(
            "gateway_search_depth", "Turns searched for a move.", _ARM, buckets=DEPTHS, registry=registry
        )
        self._nodes = Counter("gateway_search_nodes", "Nodes searched for moves.", _ARM, registry=registry)
        self._failures = Counter(
            "gateway_searcher_failures",
            "Calls that a searcher refused or aborted, by gRPC status code.",
            ["code"],
            registry=registry,
        )
        self._late = Counter(
            "gateway_late_moves", "Answers that the engine reported as late.", _ARM, registry=registry
        )
        self._demand = Demand(
            "gateway_search_demand_seconds",
            "Time that moves waited for searches; its rate is the average number of searches wanted at once.",
            registry,
        )
        # A series without events is 0 and not missing.
        for source in Source:
            self._by_source.labels(source.value)

    @contextmanager
    def searching(self) -> Iterator[None]:
        """Count the time of a block as that of a wanted search."""
        self._demand.add(1)
        try:
            yield
        finally:
            self._demand.add(-1)

    def count(self, turn: Turn, choice: Choice, answer: Answer) -> None:
        """Count an answered move and its search."""
        self._by_source.labels(answer.source.value).inc()
        arm = choice.snake.path, choice.arm.name
        self._by_arm.labels(*arm).inc()
        late = self._late.labels(*arm)
        exemplar = tracing.exemplar()
        self._seconds.observe(answer.elapsed, exemplar)
        if answer.overhead is not None:
            self._overhead.observe(answer.overhead, exemplar)
        if answer.result is not None:
            self._depth.labels(*arm).observe(answer.result.depth, exemplar)
            self._nodes.labels(*arm).inc(answer.result.nodes)
        for failure in answer.failures:
            self._failures.labels(failure.code.name).inc()
        if answer.late_before:
            late.inc()
