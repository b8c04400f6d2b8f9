"""The writer of outcomes: it buffers them in memory and writes batches in the background, with retries."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from itertools import islice
from typing import Literal, Protocol, Self

import msgspec
import structlog

from gateway.outcomes.values import Outcome

log = structlog.get_logger(__name__)

MAX_WAITING = 100_000
"""The most outcomes that are buffered while a database is slow or lost: some 40 MB."""

_BATCH = 500
_FIRST_BACKOFF = 0.1
_MAX_BACKOFF = 2.0

_ATTEMPT_TIMEOUT = 15.0
"""Seconds after which an attempt to write has failed."""

_FLUSH_TIMEOUT = 5.0
"""Seconds at the end of the gateway for the outcomes that are still buffered."""

Fate = Literal["written", "lost"]
"""What became of an outcome."""


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


class OutcomeStore(Protocol):
    """A store of outcomes. While it is lost, its methods may raise any error."""

    name: str

    async def prepare(self) -> None:
        """Prepare the store; called once, before anything is added."""

    async def add(self, outcomes: Sequence[Outcome]) -> None:
        """Store all outcomes or, on an error, none; skip those that are stored already."""


class Writer(Recorder):
    """Writes outcomes to a store in their order. An asynchronous context manager: leaving it flushes.

    An outcome is dropped only when the store has confirmed it, so losing the database for a while loses no
    outcome; what was stored without a confirmation is added again. Beyond `max_waiting` buffered outcomes new
    ones are lost. Lost outcomes are logged with all their fields.
    """

    def __init__(
        self, store: OutcomeStore, counters: OutcomeCounters, max_waiting: int = MAX_WAITING
    ) -> None:
        self._store = store
        self._counters = counters
        self._max_waiting = max_waiting
        self._waiting: deque[Outcome] = deque()
        self._arrived = asyncio.Event()
        self._flushed = asyncio.Event()
        self._flushed.set()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._write_all())
        return self

    async def __aexit__(self, *_: object) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._flushed.wait(), _FLUSH_TIMEOUT)
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        for outcome in self._waiting:
            self._lose(outcome, "the gateway ended before the database took it")

    def record(self, outcome: Outcome) -> None:
        """Buffer an outcome; it is written in the background."""
        if len(self._waiting) >= self._max_waiting:
            self._lose(outcome, "too many outcomes wait for the database")
            return
        self._waiting.append(outcome)
        self._counters.set_waiting_outcomes(len(self._waiting))
        self._arrived.set()
        self._flushed.clear()

    async def _write_all(self) -> None:
        await self._retry(self._store.prepare)
        log.info("outcomes are recorded", store=self._store.name)
        while True:
            await self._arrived.wait()
            await self._retry(self._write_batch)
            if not self._waiting:
                self._arrived.clear()
                self._flushed.set()

    async def _write_batch(self) -> None:
        batch = list(islice(self._waiting, _BATCH))
        await self._store.add(batch)
        for _ in batch:
            self._waiting.popleft()
        self._counters.count_outcomes("written", batch)
        self._counters.set_waiting_outcomes(len(self._waiting))

    async def _retry(self, attempt: Callable[[], Awaitable[None]]) -> None:
        """Repeat an attempt until it succeeds."""
        backoff = _FIRST_BACKOFF
        while True:
            try:
                async with asyncio.timeout(_ATTEMPT_TIMEOUT):
                    return await attempt()
            except Exception as error:
                # SQLAlchemy, its drivers and the network share no base exception.
                reason = f"{type(error).__name__}: {error}".partition("\n")[0]
                log.warning("outcomes not written", reason=reason, waiting=len(self._waiting))
            await asyncio.sleep(backoff)
            backoff = min(2 * backoff, _MAX_BACKOFF)

    def _lose(self, outcome: Outcome, reason: str) -> None:
        self._counters.count_outcomes("lost", [outcome])
        fields = msgspec.to_builtins(outcome)
        log.error("outcome lost", reason=reason, **fields)
