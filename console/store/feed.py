"""The news of games for those who watch: pages of live games, and watchers of stored events."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import msgspec

MAX_READERS = 100

MAX_PUBLIC_READERS = 50
"""The most readers through the public port, so that strangers leave room for others."""

MAX_WAITING = 4_000_000
"""The most bytes of events that wait for a reader: some minutes of a game, or seconds of many games."""

_HEARTBEAT = b": nothing new\n\n"

ALL = ""
"""The topic of the events of all games; every other topic is the id of a game."""


def server_event(name: str, data: object) -> bytes:
    """Return a server-sent event, with its data as JSON."""
    return b"event: %b\ndata: %b\n\n" % (name.encode(), msgspec.json.encode(data))


def read_event(event: bytes) -> tuple[str, bytes]:
    """Return the name and the JSON of a server-sent event; both empty for a comment."""
    name, _, data = event.rstrip(b"\n").partition(b"\ndata: ")
    return name.removeprefix(b"event: ").decode() if data else "", data


class TooManyReadersError(RuntimeError):
    """The feed has reached its limit of readers."""


class Reader:
    """A reader of a topic's events."""

    def __init__(self, *, is_public: bool = False) -> None:
        self.is_public = is_public
        self._events: asyncio.Queue[bytes] = asyncio.Queue()
        self._bytes = 0
        self.is_dropped = False

    def offer(self, event: bytes) -> None:
        """Take an event; drop this reader if too many bytes wait."""
        self._bytes += len(event)
        self.is_dropped = self.is_dropped or self._bytes > MAX_WAITING
        if not self.is_dropped:
            self._events.put_nowait(event)

    async def next(self, patience: float | None = None) -> bytes:
        """Return the next event; after `patience` seconds without an event, return a comment."""
        try:
            async with asyncio.timeout(patience):
                event = await self._events.get()
        except TimeoutError:
            return _HEARTBEAT
        self._bytes -= len(event)
        return event


class Feed:
    """The readers of events, by topic. Slow readers are dropped."""

    def __init__(self) -> None:
        self._readers: dict[str, list[Reader]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._readers.values()))

    @contextmanager
    def reading(self, topic: str, *, is_public: bool = False) -> Iterator[Reader]:
        """Yield a reader of a topic. Raises TooManyReadersError at the limit of all or of public readers."""
        public = sum(each.is_public for readers in self._readers.values() for each in readers)
        if len(self) >= MAX_READERS or (is_public and public >= MAX_PUBLIC_READERS):
            raise TooManyReadersError
        reader = Reader(is_public=is_public)
        readers = self._readers.setdefault(topic, [])
        readers.append(reader)
        try:
            yield reader
        finally:
            readers.remove(reader)
            if not readers:
                del self._readers[topic]

    def publish(self, topic: str, name: str, data: object) -> None:
        """Give a server-sent event to all readers of a topic."""
        self.offer(topic, partial(server_event, name, data))

    def offer(self, topic: str, make: Callable[[], bytes]) -> None:
        """Give the event that `make` returns to all readers of a topic, if there are any."""
        if readers := self._readers.get(topic):
            event = make()
            for reader in readers:
                reader.offer(event)
