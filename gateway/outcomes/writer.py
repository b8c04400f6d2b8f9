"""Writes outcomes while requests go on: buffered in memory, in batches, again and again until stored."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from itertools import islice
from typing import Protocol, Self

import msgspec
import structlog

from gateway.metrics import Metrics
from gateway.outcomes.record import Outcome

log = structlog.get_logger(__name__)

MOST_WAITING = 100_000
"""Outcomes that are buffered while a database is slow or lost: some 40 MB."""

_BATCH = 500
_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 2.0

_ATTEMPT = 15.0
"""Seconds after which an attempt to write has failed."""

_FLUSH = 5.0
"""Seconds at the end of the gateway for what is still buffered."""


class Recorder:
    """Takes the outcomes of games. This one keeps none."""

    def record(self, outcome: Outcome) -> None:
        """Take an outcome over, without waiting for anything."""


class Store(Protocol):
    """Where outcomes go. Its methods raise whatever they do while it is lost."""

    name: str

    async def prepare(self) -> None:
        """To be done once, before anything is added."""

    async def add(self, outcomes: Sequence[Outcome]) -> None:
        """Store all or, on an error, none, those already there aside."""


class Writer(Recorder):
    """Hands outcomes to a store in their order. An asynchronous context manager: leaving it flushes.

    An outcome is forgotten only when the store has confirmed it, so a lost database costs nothing; what was
    stored without our hearing of it is offered again. Beyond `most_waiting` outcomes the latest are left
    out. What isn't stored in the end is logged, field by field.
    """

    def __init__(self, store: Store, metrics: Metrics, most_waiting: int = MOST_WAITING) -> None:
        self._store = store
        self._metrics = metrics
        self._most_waiting = most_waiting
        self._waiting: deque[Outcome] = deque()
        self._arrived = asyncio.Event()
        self._flushed = asyncio.Event()
        self._flushed.set()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._write_all())
        return self

    async def __aexit__(self, *_: object) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._flushed.wait(), _FLUSH)
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        for outcome in self._waiting:
            self._lose(outcome, "the gateway ended before the database took it")

    def record(self, outcome: Outcome) -> None:
        """Take an outcome over; it is written soon."""
        if len(self._waiting) >= self._most_waiting:
            self._lose(outcome, "too many outcomes wait for the database")
            return
        self._waiting.append(outcome)
        self._metrics.show_waiting(len(self._waiting))
        self._arrived.set()
        self._flushed.clear()

    async def _write_all(self) -> None:
        await self._insist(self._store.prepare)
        log.info("outcomes are recorded", store=self._store.name)
        while True:
            await self._arrived.wait()
            await self._insist(self._write_batch)
            if not self._waiting:
                self._arrived.clear()
                self._flushed.set()

    async def _write_batch(self) -> None:
        batch = list(islice(self._waiting, _BATCH))
        await self._store.add(batch)
        for _ in batch:
            self._waiting.popleft()
        self._metrics.count_outcomes("written", len(batch))
        self._metrics.show_waiting(len(self._waiting))

    async def _insist(self, attempt: Callable[[], Awaitable[None]]) -> None:
        """Attempt it until it succeeds."""
        pause = _FIRST_PAUSE
        while True:
            try:
                async with asyncio.timeout(_ATTEMPT):
                    return await attempt()
            except Exception as error:
                # Whatever it was: SQLAlchemy, its drivers and the network have no error in common.
                reason = f"{type(error).__name__}: {error}".partition("\n")[0]
                log.warning("outcomes not written", reason=reason, waiting=len(self._waiting))
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _lose(self, outcome: Outcome, reason: str) -> None:
        self._metrics.count_outcomes("lost", 1)
        fields = msgspec.to_builtins(outcome)
        log.error("outcome lost", reason=reason, **fields)
