"""The outbox: the events from their making until the console has stored them."""

import asyncio
import os
from bisect import bisect_right
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from operator import attrgetter
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import ParamSpec, Self, TypeVar

from battlesnake_search.common.logs import get_logger
from battlesnake_search.record.wire import MOST_EVENT_BYTES
from gateway.outbox.spool import Event, NoPlaceError, Spool, claim, default_folder, remaining

log = get_logger(__name__)

MEMORY_BYTES = 4 * 2**20
FILE_BYTES = 64 * 2**20

_TICK = 0.4
"""Seconds between two looks. An event that has waited at two looks goes into the file."""

_RETRY = 2.0
"""Seconds between two attempts to write after a failure. An attempt may copy a whole file in vain."""

_PATIENCE = 1.0
"""The most seconds that an answer waits for the disk."""

_OPENING = 5.0
"""The most seconds that a start waits for the disk."""

_BATCH = 256 * 1024
"""The bytes of events that go into the file at once. The time to join them blocks the event loop."""

_OVERHEAD = 160
"""The bytes of an event in memory besides its data."""

_number = attrgetter("number")

P = ParamSpec("P")
T = TypeVar("T")


class _Worker:
    """One thread that does its work on a disk, which may hang for ever, in order.

    The interpreter does not wait for it at its end, as it would for the threads of an executor.
    """

    def __init__(self, name: str) -> None:
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._is_closed = False
        Thread(target=self._run, name=name, daemon=True).start()

    async def run(self, work: Callable[[], T]) -> T:
        """Return the result of work in the thread, or raise its error. Raises RuntimeError once closed."""
        if self._is_closed:
            raise RuntimeError("the thread is closed")
        future: Future[T] = Future()

        def do() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(work())
            except Exception as error:
                future.set_exception(error)

        self._work.put(do)
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """End the thread after its present work and all that waits."""
        self._is_closed = True
        self._work.put(None)

    def _run(self) -> None:
        while do := self._work.get():
            do()


class Outbox:
    """The events that are not acknowledged, by ascending numbers: older ones in a file, newer ones in memory.

    An asynchronous context manager. Entering it reads the file of an earlier process, and leaving it writes
    all events to the file. Without a usable folder the events are in memory alone. All methods belong to the
    event loop. A thread works on the file.
    """

    def __init__(
        self,
        port: int,
        folder: Path | None = None,
        memory_bytes: int = MEMORY_BYTES,
        file_bytes: int = FILE_BYTES,
    ) -> None:
        self._port, self._folder = port, folder
        self._most, self._most_in_file = memory_bytes, file_bytes
        self._spool: Spool | None = None
        self._lock_file = -1
        # One thread, so that its work on the file is in order and needs no lock.
        self._thread = _Worker("outbox")
        self._memory: list[Event] = []
        self._memory_size = 0
        self._written = 0
        """The highest number that was given to the thread to write."""
        self._filed = 0
        """The highest number that has left memory for the file."""
        self._dropped = 0
        self._logged_drops = 0
        self._last_drop = 0
        """The number of the newest event when one was dropped. Its acknowledgement ends the outage."""
        self._is_failing = False
        self._is_closing = False
        self._writing = asyncio.Lock()
        self._next_sync: asyncio.Task[None] | None = None
        self._arrived, self._hurry = asyncio.Event(), asyncio.Event()
        self.last = 0
        """The number of the newest event."""
        self.acknowledged = 0
        """The highest acknowledged number."""

    @property
    def waiting(self) -> int:
        """The events that are not acknowledged. Some in the file may be counted for 0.4 s longer."""
        return len(self._memory) + (self._spool.count if self._spool else 0)

    @property
    def size(self) -> int:
        """The bytes of the waiting events."""
        return self._memory_size + (self._spool.size if self._spool else 0)

    @property
    def dropped(self) -> int:
        """The events that were lost because of too little space or a damaged file."""
        return self._dropped + (self._spool.dropped if self._spool else 0)

    async def __aenter__(self) -> Self:
        try:
            async with asyncio.timeout(_OPENING):
                spool, self._lock_file = await self._in_thread(self._open)
        except (NoPlaceError, OSError) as error:
            # A timeout is an OSError, too.
            reason = str(error) or f"the disk takes more than {_OPENING:.0f} s"
            log.info("outbox in memory alone", reason=reason)
            return self
        self._spool, self.last, self._filed = spool, spool.last, spool.last
        self._task = asyncio.create_task(self._move_to_file())
        return self

    def _open(self) -> tuple[Spool, int]:
        path, lock_file = claim(self._folder or default_folder(), self._port)
        return Spool(path, self._most_in_file), lock_file

    async def __aexit__(self, *_: object) -> None:
        self._is_closing = True
        self._hurry.set()
        await self.sync()
        # The thread may hang with a lost disk.
        await asyncio.wait([asyncio.ensure_future(self._in_thread(self._close))], timeout=_PATIENCE)
        self._thread.close()

    def _close(self) -> None:
        if self._spool:
            self._spool.close()
        if self._lock_file >= 0:
            os.close(self._lock_file)

    def put(self, make: Callable[[int], bytes], is_kept: bool) -> None:
        """Add the event that `make` encodes with its number. `is_kept` is for starts and ends of games.

        An event of more than 512 KB is dropped.
        """
        data = make(self.last + 1)
        if len(data) > MOST_EVENT_BYTES:
            self._dropped += 1
            self._log_drops()
            return
        self.last += 1
        self._memory.append(Event(self.last, data, is_kept))
        self._memory_size += len(data) + _OVERHEAD
        if self._memory_size > self._most // 2:
            self._relieve()
        self._arrived.set()

    def _relieve(self) -> None:
        """Let the file take events, and drop some if there are too many nevertheless."""
        if not self._is_failing:
            self._hurry.set()
        if self._memory_size > self._most:
            # A little more than necessary, so that the next events drop none. A batch of the thread stays.
            most = self._most * 15 // 16
            start = bisect_right(self._memory, self._written, key=_number)
            batch, events = self._memory[:start], self._memory[start:]
            kept = _size(batch) + _size(event for event in events if event.is_kept)
            self._memory = [*batch, *remaining(events, self._memory_size - most, kept - most, _OVERHEAD)]
            self._dropped += start + len(events) - len(self._memory)
            self._memory_size = _size(self._memory)
            self._log_drops()

    def _log_drops(self) -> None:
        """Log the first drop of an outage."""
        if self.dropped > self._logged_drops:
            if self._last_drop <= self.acknowledged:
                log.warning("events dropped", waiting=self.waiting, bytes=self.size)
            self._logged_drops, self._last_drop = self.dropped, self.last

    async def wait(self, after: int) -> None:
        """Wait until there is an event with a higher number."""
        while self.last <= after:
            self._arrived.clear()
            await self._arrived.wait()

    async def read(self, after: int, most_bytes: int) -> tuple[bytes, int]:
        """Return the oldest events after a number, joined, and the number of the last one.

        They have at most `most_bytes`, or are one event. Without any, the bytes are empty, and the number is
        that of the newest event.
        """
        while self._spool and after < self._filed:
            # All events up to this number left memory before the read. Others may leave it meanwhile.
            filed = self._filed
            try:
                events, last = await self._in_thread(self._spool.read, after, most_bytes)
            except OSError as error:
                log.error("outbox set aside", reason=str(error))
                self._log_drops()
            else:
                if events:
                    return events, last
            after = filed
        start = bisect_right(self._memory, after, key=_number)
        found = self._memory[start : _fitting(self._memory, start, most_bytes)]
        return b"".join(event.data for event in found), found[-1].number if found else self.last

    def acknowledge(self, number: int) -> None:
        """Forget the events up to a number, because the console has stored them."""
        self.acknowledged = max(self.acknowledged, min(number, self.last))
        self._remove(self.acknowledged)

    def _remove(self, number: int) -> None:
        """Remove the events up to a number from memory."""
        end = bisect_right(self._memory, number, key=_number)
        self._memory_size -= _size(self._memory[:end])
        del self._memory[:end]

    async def sync(self) -> None:
        """Write all events to the file and the file to the disk. Take at most a second, and raise nothing.

        Afterwards the events survive the death of this process. A full or lost disk is logged instead.
        """
        if self._next_sync is None:
            self._next_sync = asyncio.create_task(self._sync())
        _, late = await asyncio.wait([self._next_sync], timeout=_PATIENCE)
        if late:
            self._fail("the disk takes more than a second")

    async def _sync(self) -> None:
        async with self._writing:
            # Later calls need a further write, because their events may come too late for this one.
            self._next_sync = None
            await self._write(self.last, is_synced=True)

    async def _move_to_file(self) -> None:
        """Write events that have waited at two looks, or all once memory is half full."""
        former = 0
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._hurry.wait(), _RETRY if self._is_failing else _TICK)
                former = self.last
            if self._is_closing:
                return
            self._hurry.clear()
            async with self._writing:
                await self._write(former)
            former = self.last

    async def _write(self, number: int, is_synced: bool = False) -> None:
        """Forget acknowledged events of the file, and move those up to a number from memory to it."""
        if not self._spool:
            return
        is_written = False
        try:
            if self._spool.count:
                await self._in_thread(self._spool.forget, self.acknowledged)
            while batch := self._batch(number):
                self._written = batch[-1].number
                await self._in_thread(self._spool.append, batch)
                self._remove(self._written)
                self._filed, is_written = self._written, True
            if is_synced or self._is_failing:
                await self._in_thread(self._spool.sync)
        except (OSError, RuntimeError) as error:
            # A RuntimeError means that the outbox was closed while a slow disk wrote.
            self._fail(str(error))
        else:
            if self._is_failing and is_written:
                log.info("outbox written again", waiting=self.waiting)
                self._is_failing = False
        self._written = 0
        self._log_drops()

    def _fail(self, reason: str) -> None:
        if not self._is_failing:
            log.error("outbox not written", reason=reason, waiting=self.waiting)
        self._is_failing = True

    def _batch(self, number: int) -> list[Event]:
        """Return the oldest events of memory, up to a number, for one write."""
        end = _fitting(self._memory, 0, _BATCH)
        return self._memory[: min(end, bisect_right(self._memory, number, key=_number))]

    async def _in_thread(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._thread.run(partial(work, *args, **kwargs))


def _size(events: Iterable[Event]) -> int:
    """Return the bytes of events in memory."""
    return sum(len(event.data) + _OVERHEAD for event in events)


def _fitting(events: list[Event], start: int, most_bytes: int) -> int:
    """Return the index behind the events from `start` that have at most `most_bytes`, or behind one event."""
    size = 0
    for index in range(start, len(events)):
        size += len(events[index].data)
        if size > most_bytes:
            return max(index, start + 1)
    return len(events)
