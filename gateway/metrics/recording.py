"""Outcomes and records of games, on their way to the database."""

from collections.abc import Sequence
from typing import get_args

from prometheus_client import CollectorRegistry, Counter, Gauge

from gateway.game.values import Outcome
from gateway.store.writer import Fate


class OutcomeMetrics:
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


class RecordMetrics:
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
