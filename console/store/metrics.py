"""The Prometheus metrics of the items that the store writes."""

from typing import Literal, get_args

from prometheus_client import CollectorRegistry, Counter, Gauge

Fate = Literal["written", "lost"]
"""An item is written, or lost because the database refuses it."""


class StoredMetrics:
    """The metrics of one kind of items that the store writes, such as outcomes. `what` names the kind."""

    def __init__(self, name: str, what: str, registry: CollectorRegistry) -> None:
        self._by_fate = Counter(name, f"{what} that were written or lost.", ["fate"], registry=registry)
        self._waiting = Gauge(f"{name}_waiting", f"{what} that wait to be written.", registry=registry)
        self.lost = 0
        """The number of lost items so far."""
        self.waiting = 0
        """The number of items that wait to be written."""
        for fate in get_args(Fate):
            self._by_fate.labels(fate)

    def count(self, fate: Fate, number: int) -> None:
        """Count items that were written or lost."""
        self._by_fate.labels(fate).inc(number)
        if fate == "lost":
            self.lost += number

    def set_waiting(self, number: int) -> None:
        """Set the number of items that wait to be written."""
        self.waiting = number
        self._waiting.set(number)


class RecordMetrics:
    """The metrics of outcomes and of records of games, in a registry."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.registry = registry
        self.outcomes = StoredMetrics("console_outcomes", "Outcomes of games", registry)
        self.records = StoredMetrics("console_game_records", "Records of games", registry)
