"""A writer that buffers items in memory and writes them in batches in the background, with retries."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from itertools import islice
from typing import Generic, Literal, Protocol, Self, TypeVar

import structlog

from gateway.store.database import in_a_line

log = structlog.get_logger(__name__)

_FIRST_BACKOFF = 0.1
_MAX_BACKOFF = 2.0

_ATTEMPT_TIMEOUT = 15.0
"""Seconds after which an attempt to write has failed."""

Fate = Literal["written", "lost"]
"""What became of an item."""

_Item = TypeVar("_Item")
_Stored = TypeVar("_Stored", contravariant=True)


class BatchStore(Protocol[_Stored]):
    """A store of items. While it is lost, its methods may raise any error."""

    name: str

    async def prepare(self) -> None:
        """Prepare the store; called once, before anything is added."""

    async def add(self, items: Sequence[_Stored], /) -> None:
        """Store all items or, on an error, none; skip those that are stored already."""


class Ledger(Protocol[_Stored]):
    """Keeps account of items. `noun` is their name in the log, in the plural."""

    noun: str

    def written(self, items: Sequence[_Stored], /) -> None:
        """Take note of items that the store has confirmed."""

    def lost(self, item: _Stored, reason: str, /) -> None:
        """Take note of an item that will not be written."""

    def waiting(self, number: int, /) -> None:
        """Take note of how many items wait to be written."""


class BatchWriter(Generic[_Item]):
    """Writes items to a store in their order. An asynchronous context manager: leaving it flushes.

    An item is dropped only when the store has confirmed it, so losing the database for a while loses no item;
    what was stored without a confirmation is added again. Beyond `max_waiting` buffered items new ones are
    lost. `linger` is how long the writer waits for more items before it writes a batch, and `flush_timeout`
    how long the end waits for the items that are still buffered, both in seconds.
    """

    def __init__(
        self,
        store: BatchStore[_Item],
        ledger: Ledger[_Item],
        *,
        max_waiting: int,
        batch: int,
        flush_timeout: float,
        linger: float = 0.0,
    ) -> None:
        self._store = store
        self._ledger = ledger
        self._max_waiting = max_waiting
        self._batch = batch
        self._flush_timeout = flush_timeout
        self._linger = linger
        self._waiting: deque[_Item] = deque()
        self._arrived = asyncio.Event()
        self._ending = asyncio.Event()
        self._flushed = asyncio.Event()
        self._flushed.set()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._write_all())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._ending.set()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._flushed.wait(), self._flush_timeout)
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        for item in self._waiting:
            self._ledger.lost(item, "the gateway ended before the database took it")

    def put(self, item: _Item) -> None:
        """Buffer an item; it is written in the background."""
        if len(self._waiting) >= self._max_waiting:
            self._ledger.lost(item, f"too many {self._ledger.noun} wait for the database")
            return
        self._waiting.append(item)
        self._ledger.waiting(len(self._waiting))
        self._arrived.set()
        self._flushed.clear()

    async def _write_all(self) -> None:
        await self._retry(self._store.prepare)
        log.info(f"{self._ledger.noun} are recorded", store=self._store.name)
        while True:
            await self._arrived.wait()
            if len(self._waiting) < self._batch:
                await self._pause()
            await self._retry(self._write_batch)
            if not self._waiting:
                self._arrived.clear()
                self._flushed.set()

    async def _pause(self) -> None:
        """Wait for more items, unless the writer is ending."""
        if self._linger:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), self._linger)

    async def _write_batch(self) -> None:
        batch = list(islice(self._waiting, self._batch))
        await self._store.add(batch)
        for _ in batch:
            self._waiting.popleft()
        self._ledger.written(batch)
        self._ledger.waiting(len(self._waiting))

    async def _retry(self, attempt: Callable[[], Awaitable[None]]) -> None:
        """Repeat an attempt until it succeeds."""
        backoff = _FIRST_BACKOFF
        while True:
            try:
                async with asyncio.timeout(_ATTEMPT_TIMEOUT):
                    return await attempt()
            except Exception as error:
                # SQLAlchemy, its drivers and the network share no base exception.
                log.warning(
                    f"{self._ledger.noun} not written", reason=in_a_line(error), waiting=len(self._waiting)
                )
            await asyncio.sleep(backoff)
            backoff = min(2 * backoff, _MAX_BACKOFF)
