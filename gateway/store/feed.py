"""The events of live games. A reader that is too slow is dropped."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

MAX_READERS = 100

_MAX_WAITING = 200
"""Events that wait for a reader before it is dropped: some minutes of a game, or seconds of many."""

_HEARTBEAT = b": nothing new\n\n"

ALL = ""
"""The topic of the events of all games; every other topic is the id of a game."""


def server_event(name: str, data: object) -> bytes:
    """Return a server-sent event, with its data as JSON."""
    return b"event: %b\ndata: %b\n\n" % (name.encode(), msgspec.json.encode(data))


class TooManyReadersError(RuntimeError):
    """The feed has as many readers as it may have."""


class Reader:
    """Receives the events of a topic as server-sent events."""

    def __init__(self) -> None:
        self._events: asyncio.Queue[bytes] = asyncio.Queue(_MAX_WAITING)
        self.is_dropped = False

    def offer(self, event: bytes) -> None:
        """Take an event, or drop out if too many wait already."""
        try:
            self._events.put_nowait(event)
        except asyncio.QueueFull:
            self.is_dropped = True

    async def next(self, patience: float) -> bytes:
        """Return the next event as soon as there is one; after some seconds without one, a comment."""
        try:
            async with asyncio.timeout(patience):
                return await self._events.get()
        except TimeoutError:
            return _HEARTBEAT


class Feed:
    """The readers of live games, by topic."""

    def __init__(self) -> None:
        self._readers: dict[str, list[Reader]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._readers.values()))

    @contextmanager
    def reading(self, topic: str) -> Iterator[Reader]:
        """Yield a reader of a topic. Raises TooManyReadersError if there are too many already."""
        if len(self) >= MAX_READERS:
            raise TooManyReadersError
        reader = Reader()
        readers = self._readers.setdefault(topic, [])
        readers.append(reader)
        try:
            yield reader
        finally:
            readers.remove(reader)
            if not readers:
                del self._readers[topic]

    def is_read(self, topic: str) -> bool:
        """Return whether a topic has a reader."""
        return topic in self._readers

    def publish(self, topic: str, name: str, data: object) -> None:
        """Give an event to all readers of a topic."""
        if readers := self._readers.get(topic):
            event = server_event(name, data)
            for reader in readers:
                reader.offer(event)
