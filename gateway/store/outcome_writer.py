"""The writer of outcomes."""

from collections.abc import Sequence
from typing import Protocol

import msgspec
import structlog

from gateway.game.values import Outcome
from gateway.store.batches import BatchStore, BatchWriter, Fate

log = structlog.get_logger(__name__)

MAX_WAITING = 100_000
"""The most outcomes that are buffered while a database is slow or lost: some 40 MB."""

_BATCH = 500

_FLUSH_TIMEOUT = 5.0
"""Seconds at the end of the gateway for the outcomes that are still buffered."""


class OutcomeCounters(Protocol):
    """Counters of what happens to outcomes."""

    def count_outcomes(self, fate: Fate, outcomes: Sequence[Outcome]) -> None:
        """Count outcomes that were written or lost."""

    def set_waiting_outcomes(self, number: int) -> None:
        """Set the number of outcomes that wait to be written."""


class Recorder:
    """Receives the outcomes of games. This one discards them."""

    def record(self, outcome: Outcome) -> None:
        """Take an outcome, without waiting for anything."""


class _Ledger:
    """Counts outcomes, and logs lost ones with all their fields."""

    noun = "outcomes"

    def __init__(self, counters: OutcomeCounters) -> None:
        self._counters = counters

    def written(self, outcomes: Sequence[Outcome]) -> None:
        self._counters.count_outcomes("written", outcomes)

    def lost(self, outcome: Outcome, reason: str) -> None:
        self._counters.count_outcomes("lost", [outcome])
        fields = msgspec.to_builtins(outcome)
        log.error("outcome lost", reason=reason, **fields)

    def waiting(self, number: int) -> None:
        self._counters.set_waiting_outcomes(number)


class Writer(Recorder, BatchWriter[Outcome]):
    """Writes outcomes to a store. Lost outcomes are logged with all their fields."""

    def __init__(
        self, store: BatchStore[Outcome], counters: OutcomeCounters, max_waiting: int = MAX_WAITING
    ) -> None:
        super().__init__(
            store, _Ledger(counters), max_waiting=max_waiting, batch=_BATCH, flush_timeout=_FLUSH_TIMEOUT
        )

    def record(self, outcome: Outcome) -> None:
        """Buffer an outcome; it is written in the background."""
        self.put(outcome)
