"""Events whose numbers can be read, and consoles that store them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from gateway.outbox.outbox import Outbox
from gateway.outbox.spool import Event

SIZE = 1024
"""The bytes of an event."""


def maker(size: int = SIZE) -> Callable[[int], bytes]:
    """Return a function that encodes an event: its number in ten digits, and then filling to a size."""
    filling = b"." * (size - 10)
    return lambda number: b"%010d" % number + filling


def event(number: int, is_kept: bool = False, size: int = SIZE) -> Event:
    """Return an event."""
    return Event(number, maker(size)(number), is_kept)


def numbers(data: bytes, size: int = SIZE) -> list[int]:
    """Return the numbers of joined events of a size."""
    assert len(data) % size == 0
    return [int(data[start : start + 10]) for start in range(0, len(data), size)]


async def read_all(outbox: Outbox, size: int = SIZE) -> list[int]:
    """Return the numbers of all waiting events, read in messages of 64 KB."""
    found: list[int] = []
    after = outbox.acknowledged
    while True:
        data, after = await outbox.read(after, 64 * 1024)
        if not data:
            return found
        found += numbers(data, size)
        assert found[-1] == after


class Console:
    """A console in this process: its stored numbers, and the faults that a test wants."""

    def __init__(self) -> None:
        self.stored: list[int] = []
        self.messages: list[int] = []
        """The bytes of each message."""
        self.connections = 0
        self.is_down = False
        self.is_silent = False
        """Whether it stores events without acknowledging them."""
        self.streams: list[ConsoleStream] = []

    @asynccontextmanager
    async def connect(self) -> AsyncIterator["ConsoleStream"]:
        """Yield a stream. Raises ConnectionError while the console is down."""
        self.connections += 1
        if self.is_down:
            raise ConnectionError("nothing listens")
        stream = ConsoleStream(self)
        self.streams.append(stream)
        yield stream

    def stop(self) -> None:
        """End all streams, and refuse further ones."""
        self.is_down = True
        for stream in self.streams:
            stream.acknowledgements.put_nowait(None)


class ConsoleStream:
    """A stream to the console."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self.acknowledgements: asyncio.Queue[int | None] = asyncio.Queue()
        self.is_cancelled = False

    async def send(self, events: bytes) -> None:
        """Store events."""
        if self.is_cancelled:
            raise asyncio.CancelledError
        if self._console.is_down:
            raise ConnectionError("the console is down")
        self._console.messages.append(len(events))
        self._console.stored += numbers(events)
        if not self._console.is_silent:
            self.acknowledgements.put_nowait(self._console.stored[-1])

    async def acknowledged(self) -> int:
        """Return the next acknowledged number."""
        number = await self.acknowledgements.get()
        if number is None:
            raise ConnectionError("the stream ended")
        return number
