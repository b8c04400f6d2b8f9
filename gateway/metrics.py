"""What the gateway counts, for Prometheus."""

from typing import Literal, get_args

from aiohttp import web
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from gateway.moves.player import Answer, Source
from gateway.moves.shadows import Comparison
from gateway.routes.config import Choice, Variant

_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.6, 0.8, 1, 2, 5)
_OVERHEAD = (
    0.0005,
    0.001,
    0.0015,
    0.00175,
    0.002,
    0.00225,
    0.0025,
    0.003,
    0.004,
    0.005,
    0.0075,
    0.01,
    0.02,
    0.05,
    0.1,
)
_DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 25, 30, 50, 100)


Fate = Literal["written", "lost"]
"""What becomes of an outcome."""


class Metrics:
    """The counters of one gateway, in a registry of their own."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._moves = Counter("gateway_moves", "Answered moves.", ["source"], registry=registry)
        self._seconds = Histogram(
            "gateway_move_seconds",
            "From a move request's arrival to its answer.",
            buckets=_SECONDS,
            registry=registry,
        )
        self._overhead = Histogram(
            "gateway_overhead_seconds",
            "What the gateway took on top of a completed search.",
            buckets=_OVERHEAD,
            registry=registry,
        )
        self._depth = Histogram(
            "gateway_search_depth", "Turns searched for a move.", buckets=_DEPTHS, registry=registry
        )
        self._nodes = Counter("gateway_search_nodes", "Nodes searched for moves.", registry=registry)
        self._failures = Counter(
            "gateway_searcher_failures",
            "Calls that a searcher refused or broke off, by gRPC status code.",
            ["code"],
            registry=registry,
        )
        self._late = Counter("gateway_late_moves", "Answers that the engine found late.", registry=registry)
        self._bad = Counter("gateway_bad_requests", "Bodies that could not be read.", registry=registry)
        self._arms = Counter(
            "gateway_arm_moves", "Answered moves by arm.", ["snake", "arm"], registry=registry
        )
        self._shadows = Counter(
            "gateway_shadow_moves",
            "Answers of shadows, by whether they agree with what was played.",
            ["snake", "arm", "shadow", "agreement"],
            registry=registry,
        )
        self._shadow_depth = Histogram(
            "gateway_shadow_depth",
            "Turns searched by shadows.",
            ["snake", "shadow"],
            buckets=_DEPTHS,
            registry=registry,
        )
        self._dropped = Counter(
            "gateway_shadow_drops",
            "Positions that a shadow was not asked for, because too many searches were under way.",
            ["snake", "shadow"],
            registry=registry,
        )
        self._outcomes, self._waiting = _of_outcomes(registry)
        # A series that has yet to count shows as 0 and not as missing.
        for source in Source:
            self._moves.labels(source.value)

    def count_move(self, answer: Answer, choice: Choice) -> None:
        """Count an answered move and the search behind it."""
        self._moves.labels(answer.source.value).inc()
        self._arms.labels(choice.snake.path, choice.arm.name).inc()
        self._seconds.observe(answer.elapsed)
        if answer.overhead is not None:
            self._overhead.observe(answer.overhead)
        if answer.verdict is not None:
            self._depth.observe(answer.verdict.depth)
            self._nodes.inc(answer.verdict.nodes)
        for failure in answer.failures:
            self._failures.labels(failure.code.name).inc()
        if answer.late_before:
            self._late.inc()

    def count_shadow(self, comparison: Comparison) -> None:
        """Count a shadow's answer, and compare it."""
        snake, shadow = comparison.choice.snake.path, comparison.shadow.name
        self._shadows.labels(snake, comparison.choice.arm.name, shadow, comparison.agreement).inc()
        if comparison.shadowed is not None:
            self._shadow_depth.labels(snake, shadow).observe(comparison.shadowed.depth)

    def count_dropped_shadow(self, choice: Choice, shadow: Variant) -> None:
        """Count a position that a shadow was not asked for."""
        self._dropped.labels(choice.snake.path, shadow.name).inc()

    def count_bad_request(self) -> None:
        """Count a body that could not be read."""
        self._bad.inc()

    def count_outcomes(self, fate: Fate, number: int) -> None:
        """Count outcomes of finished games by what became of them."""
        self._outcomes.labels(fate).inc(number)

    def show_waiting(self, number: int) -> None:
        """Tell how many outcomes wait for the store."""
        self._waiting.set(number)

    def text(self) -> bytes:
        """All of it in Prometheus' text format."""
        return generate_latest(self._registry)


def _of_outcomes(registry: CollectorRegistry) -> tuple[Counter, Gauge]:
    """What became of outcomes, and how many wait."""
    outcomes = Counter(
        "gateway_outcomes", "Outcomes written to the store, or lost.", ["fate"], registry=registry
    )
    for fate in get_args(Fate):
        outcomes.labels(fate)
    waiting = Gauge("gateway_outcomes_waiting", "Outcomes that the store has yet to take.", registry=registry)
    return outcomes, waiting


METRICS = web.AppKey("metrics", Metrics)
