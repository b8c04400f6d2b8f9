"""The writer of recorded games."""

from collections.abc import Sequence
from typing import Protocol

import structlog

from gateway.store.batches import BatchStore, BatchWriter, Fate
from gateway.store.rows import Row

log = structlog.get_logger(__name__)

MAX_WAITING = 20_000
"""The most records that are buffered while a database is slow or lost: some 20 MB."""

_BATCH = 200
"""Few, since the event loop encodes a batch in one piece."""

_LINGER = 0.5
"""Seconds between two batches: games have a few records each second, and each commit is synced."""

_FLUSH_TIMEOUT = 2.0
"""Seconds at the end of the gateway: less than for outcomes, since games are worth less."""


class GameCounters(Protocol):
    """Counters of what happens to records."""

    def count_records(self, fate: Fate, number: int) -> None:
        """Count records that were written or lost."""

    def set_waiting_records(self, number: int) -> None:
        """Set the number of records that wait to be written."""


class _Ledger:
    """Counts records, and logs losses: a line when they begin, and one when they are over."""

    noun = "games"

    def __init__(self, counters: GameCounters) -> None:
        self._counters = counters
        self._lost = 0

    def written(self, rows: Sequence[Row]) -> None:
        self._counters.count_records("written", len(rows))
        if self._lost:
            log.warning("records of games are written again", lost=self._lost)
            self._lost = 0

    def lost(self, row: Row, reason: str) -> None:
        self._counters.count_records("lost", 1)
        if not self._lost:
            log.error("records of games are lost", reason=reason)
        self._lost += 1

    def waiting(self, number: int) -> None:
        self._counters.set_waiting_records(number)


def writer(
    store: BatchStore[Row], counters: GameCounters, max_waiting: int = MAX_WAITING
) -> BatchWriter[Row]:
    """Return a writer of records to a store."""
    return BatchWriter(
        store,
        _Ledger(counters),
        max_waiting=max_waiting,
        batch=_BATCH,
        flush_timeout=_FLUSH_TIMEOUT,
        linger=_LINGER,
    )
