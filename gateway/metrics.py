"""The gateway's Prometheus metrics: each is defined and measured here, from the events that it counts."""

import asyncio
from collections.abc import Sequence
from typing import get_args

from aiohttp import web
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from gateway.bodies import BadBody, Turn
from gateway.moves.player import Answer, Source
from gateway.moves.shadows import Comparison
from gateway.outcomes.batches import Fate
from gateway.outcomes.values import Outcome
from gateway.ports import passwords
from gateway.ports.bounds import Ending
from gateway.routes.config import Choice, Variant

_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.6, 0.8, 1, 2, 5)
_OVERHEAD = (
    *(0.0005, 0.001, 0.0015, 0.00175, 0.002, 0.00225, 0.0025),
    *(0.003, 0.004, 0.005, 0.0075, 0.01, 0.02, 0.05, 0.1),
)
_DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 25, 30, 50, 100)


class Metrics:
    """The metrics of one gateway, in a registry of their own.

    Each method receives the whole event, so a new metric needs only this file.
    """

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._tasks = Gauge("gateway_tasks", "Tasks of the event loop.", registry=registry)
        self._bad = Counter("gateway_bad_requests", "Requests with an invalid body.", registry=registry)
        self._ended = Counter(
            "gateway_connections_ended_early",
            "Connections that ended before their request was answered.",
            ["reason"],
            registry=registry,
        )
        for ending in Ending:
            self._ended.labels(ending.value)
        self._passwords = Counter(
            "gateway_refused_passwords",
            "Requests to the admin side without a valid token.",
            ["reason"],
            registry=registry,
        )
        for reason in passwords.REASONS:
            self._passwords.labels(reason)
        self._moves = _MoveMetrics(registry)
        self._shadows = _ShadowMetrics(registry)
        self._outcomes = _OutcomeMetrics(registry)
        self._games = _GameMetrics(registry)

    def count_bad_request(self, error: BadBody) -> None:
        """Count a request with an invalid body."""
        self._bad.inc()

    def count_ending(self, ending: Ending) -> None:
        """Count a connection that ended early."""
        self._ended.labels(ending.value).inc()

    def count_refused_password(self, reason: str) -> None:
        """Count a request to the admin side without a valid token."""
        self._passwords.labels(reason).inc()

    def count_move(self, turn: Turn, choice: Choice, answer: Answer) -> None:
        """Count an answered move and its search."""
        self._moves.count(turn, choice, answer)

    def count_shadow(self, comparison: Comparison) -> None:
        """Count a shadow's answer, or the lack of one."""
        self._shadows.count(comparison)

    def count_dropped_shadow(self, turn: Turn, choice: Choice, shadow: Variant) -> None:
        """Count a position that was dropped because too many searches of shadows were running."""
        self._shadows.count_dropped(turn, choice, shadow)

    def count_outcomes(self, fate: Fate, outcomes: Sequence[Outcome]) -> None:
        """Count outcomes of games that were written or lost."""
        self._outcomes.count(fate, outcomes)

    def set_waiting_outcomes(self, number: int) -> None:
        """Set the number of outcomes that wait to be written."""
        self._outcomes.waiting.set(number)

    def count_records(self, fate: Fate, number: int) -> None:
        """Count records of games that were written or lost."""
        self._games.count(fate, number)

    def set_waiting_records(self, number: int) -> None:
        """Set the number of records of games that wait to be written."""
        self._games.waiting.set(number)

    @property
    def lost_records(self) -> int:
        """The number of records of games that were lost."""
        return self._games.lost

    def text(self) -> bytes:
        """Return all metrics in Prometheus' text format. Call it in the event loop."""
        self._tasks.set(len(asyncio.all_tasks()))
        return generate_latest(self._registry)


class _MoveMetrics:
    """The metrics of answered moves."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._by_source = Counter("gateway_moves", "Answered moves.", ["source"], registry=registry)
        self._by_arm = Counter(
            "gateway_arm_moves", "Answered moves by arm.", ["snake", "arm"], registry=registry
        )
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
            "gateway_search_depth", "Turns searched for a move.", buckets=_DEPTHS, registry=registry
        )
        self._nodes = Counter("gateway_search_nodes", "Nodes searched for moves.", registry=registry)
        self._failures = Counter(
            "gateway_searcher_failures",
            "Calls that a searcher refused or aborted, by gRPC status code.",
            ["code"],
            registry=registry,
        )
        self._late = Counter(
            "gateway_late_moves", "Answers that the engine reported as late.", registry=registry
        )
        # A series without events is 0 and not missing.
        for source in Source:
            self._by_source.labels(source.value)

    def count(self, turn: Turn, choice: Choice, answer: Answer) -> None:
        """Count an answered move and its search."""
        self._by_source.labels(answer.source.value).inc()
        self._by_arm.labels(choice.snake.path, choice.arm.name).inc()
        self._seconds.observe(answer.elapsed)
        if answer.overhead is not None:
            self._overhead.observe(answer.overhead)
        if answer.result is not None:
            self._depth.observe(answer.result.depth)
            self._nodes.inc(answer.result.nodes)
        for failure in answer.failures:
            self._failures.labels(failure.code.name).inc()
        if answer.late_before:
            self._late.inc()


class _ShadowMetrics:
    """The metrics of shadows."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._moves = Counter(
            "gateway_shadow_moves",
            "Answers of shadows, by whether they agree with the played move.",
            ["snake", "arm", "shadow", "agreement"],
            registry=registry,
        )
        self._depth = Histogram(
            "gateway_shadow_depth",
            "Turns searched by shadows.",
            ["snake", "shadow"],
            buckets=_DEPTHS,
            registry=registry,
        )
        self._dropped = Counter(
            "gateway_shadow_drops",
            "Positions that a shadow did not search, because too many searches were running.",
            ["snake", "shadow"],
            registry=registry,
        )

    def count(self, comparison: Comparison) -> None:
        """Count a shadow's answer, or the lack of one."""
        snake, shadow = comparison.choice.snake.path, comparison.shadow.name
        self._moves.labels(snake, comparison.choice.arm.name, shadow, comparison.agreement).inc()
        if comparison.shadowed is not None:
            self._depth.labels(snake, shadow).observe(comparison.shadowed.depth)

    def count_dropped(self, turn: Turn, choice: Choice, shadow: Variant) -> None:
        """Count a position that a shadow did not search."""
        self._dropped.labels(choice.snake.path, shadow.name).inc()


class _OutcomeMetrics:
    """The metrics of recorded outcomes."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._by_fate = Counter(
            "gateway_outcomes", "Outcomes of games that were written or lost.", ["fate"], registry=registry
        )
        self.waiting = Gauge(
            "gateway_outcomes_waiting", "Outcomes of games that wait to be written.", registry=registry
        )
        for fate in get_args(Fate):
            self._by_fate.labels(fate)

    def count(self, fate: Fate, outcomes: Sequence[Outcome]) -> None:
        """Count outcomes that were written or lost."""
        self._by_fate.labels(fate).inc(len(outcomes))


class _GameMetrics:
    """The metrics of recorded games."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._by_fate = Counter(
            "gateway_game_records", "Records of games that were written or lost.", ["fate"], registry=registry
        )
        self.waiting = Gauge(
            "gateway_game_records_waiting", "Records of games that wait to be written.", registry=registry
        )
        self.lost = 0
        for fate in get_args(Fate):
            self._by_fate.labels(fate)

    def count(self, fate: Fate, number: int) -> None:
        """Count records that were written or lost."""
        self._by_fate.labels(fate).inc(number)
        if fate == "lost":
            self.lost += number


METRICS = web.AppKey("metrics", Metrics)
