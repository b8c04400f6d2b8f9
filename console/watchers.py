"""The watchers of stored events, by gRPC. A watcher that is too slow is dropped."""

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from battlesnake_search.contract import record_pb2
from battlesnake_search.record import wire
from battlesnake_search.record.events import Answered, Ended, Event, Started

MOST_WATCHERS = 100

MOST_BYTES = 4_000_000
"""The most bytes of events that wait for a watcher: some minutes of a game, or seconds of many games."""


class TooManyWatchersError(RuntimeError):
    """There are as many watchers as there may be."""


class TooSlowError(RuntimeError):
    """A watcher has not taken the events in time."""


class Watcher:
    """Reads the events of one game, or of all games if `game` is empty."""

    def __init__(self, game: str) -> None:
        self.game = game
        self._waiting: deque[record_pb2.WatchResponse] = deque()
        self._bytes = 0
        self._is_dropped = False
        self._arrived = asyncio.Event()

    def offer(self, event: record_pb2.WatchResponse) -> None:
        """Take an event; drop this watcher if too many bytes wait."""
        self._bytes += event.ByteSize()
        if self._bytes > MOST_BYTES:
            self._is_dropped = True
            self._waiting.clear()
        if not self._is_dropped:
            self._waiting.append(event)
        self._arrived.set()

    async def next(self) -> record_pb2.WatchResponse:
        """Wait for the next event and return it. Raises TooSlowError after a drop."""
        while not self._waiting:
            if self._is_dropped:
                raise TooSlowError
            self._arrived.clear()
            await self._arrived.wait()
        event = self._waiting.popleft()
        self._bytes -= event.ByteSize()
        return event


class Watchers:
    """The watchers of all games."""

    def __init__(self) -> None:
        self._watchers: list[Watcher] = []

    @contextmanager
    def watching(self, game: str) -> Iterator[Watcher]:
        """Yield a watcher of a game, or of all games. Raises TooManyWatchersError at the limit."""
        if len(self._watchers) >= MOST_WATCHERS:
            raise TooManyWatchersError
        watcher = Watcher(game)
        self._watchers.append(watcher)
        try:
            yield watcher
        finally:
            self._watchers.remove(watcher)

    def publish(self, event: Event, number: int) -> None:
        """Give a stored event, with its number, to those who watch its game."""
        game = _game_of(event)
        watchers = [watcher for watcher in self._watchers if watcher.game in ("", game)]
        if watchers:
            [message] = record_pb2.RecordRequest.FromString(wire.encode(event, number)).events
            response = record_pb2.WatchResponse(event=message)
            for watcher in watchers:
                watcher.offer(response)


def _game_of(event: Event) -> str:
    """Return the id of an event's game."""
    return event.turn.game.id if isinstance(event, Started | Answered | Ended) else event.game_id
