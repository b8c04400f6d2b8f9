"""All recorded games, from the database."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from time import time
from typing import TypeVar

from battlesnake_search.common.logs import get_logger
from console.store.assembly import summary_of, whole
from console.store.database import in_a_line
from console.store.live import LiveGame, LiveGames
from console.store.records import Header, Key, key_of, unpack_all
from console.store.results import Results, Wanted
from console.store.store import Store
from console.store.values import Game, Summary

log = get_logger(__name__)

_PATIENCE = 3.0
"""The most seconds that a reader waits for the database."""

IDLE = 30.0
"""Seconds after its last event in which a running game counts as played."""

MOST_SEARCHED = 5000
"""The largest number of games that a filter reads, newest first."""

_BATCH = 50
"""The games that a filter reads at once."""

_Found = TypeVar("_Found")


async def _at_once(_game: str) -> None:
    """Wait for nothing."""


class Library:
    """The reader of games. Games that the database can't return in time are missing, and this is logged.

    `flushed` returns when nothing of a game waits to be stored.
    """

    def __init__(
        self, live: LiveGames, store: Store, flushed: Callable[[str], Awaitable[None]] = _at_once
    ) -> None:
        self._live = live
        self._store = store
        self._flushed = flushed
        # Several readers of whole games at once would only wait for one another.
        self._reading = asyncio.Lock()
        self._counting = asyncio.Lock()

    @property
    def playing(self) -> int:
        """The number of running games with an event in the last half minute."""
        return sum((_idle(game) or 0.0) < IDLE for game in self._live)

    async def count(self) -> int:
        """Return the number of kept games."""
        return await in_time(self._store.count(), 0)

    async def newest(self, before: str | None, limit: int) -> list[Summary]:
        """Return the newest games or, with `before`, the newest games that are older than this game.

        Raises KeyError if the game `before` is not kept.
        """
        mark = None if before is None else await in_time(self._store.header(before), None)
        if before is not None and mark is None:
            raise KeyError(before)
        headers = await in_time(self._store.headers(mark, limit), [])
        return [summary_of(header, _idle(self._live.get(header.id))) for header in headers]

    async def found(self, wanted: Wanted, before: str | None, limit: int) -> list[Summary]:
        """Return the newest games that are wanted, as `newest`."""
        if wanted.state == "playing" and before is None:
            running = [summary_of(game.header, _idle(game)) for game in self._live]
            return [game for game in reversed(running) if wanted.admits(game)][:limit]
        found: list[Summary] = []
        async for batch in self._batches(before):
            found += filter(wanted.admits, batch)
            if len(found) >= limit:
                break
        return found[:limit]

    async def results(self, wanted: Wanted) -> Results:
        """Return the results of the wanted games."""
        results = Results()
        async with self._counting:
            async for batch in self._batches(None):
                for game in filter(wanted.admits, batch):
                    results.add(game)
        return results

    async def _batches(self, before: str | None) -> AsyncIterator[list[Summary]]:
        """Yield the kept games, newest first, at most `MOST_SEARCHED`."""
        for number in range(MOST_SEARCHED // _BATCH):
            try:
                batch = await self.newest(before, _BATCH)
            except KeyError:
                if number == 0:
                    raise
                # The oldest games were removed meanwhile.
                return
            yield batch
            if len(batch) < _BATCH:
                return
            before = batch[-1].id

    async def game(self, game: str) -> Game | None:
        """Return a whole game by its id or its short id of the log; None if it is not kept."""
        if self.is_live(game):
            # The list of running games has it as soon as it begins, before it is stored.
            await in_time(self._flushed(game), None)
        async with self._reading:
            return await in_time(read_game(self._store, game, self.is_live), None)

    async def kept(self, game: str) -> tuple[Header | None, set[Key]]:
        """Return a game's header and the keys of its records. The header is None if the game is not kept.

        Raises the errors of the database, and TimeoutError, because an unread game may be kept.
        """
        async with self._reading, asyncio.timeout(_PATIENCE):
            return await read_kept(self._store, game)

    def is_live(self, game: str) -> bool:
        """Return whether a game is running."""
        return self._live.get(game) is not None


def _idle(game: LiveGame | None) -> float | None:
    """Return the seconds since the last event of a running game; None if it is over or unknown."""
    return None if game is None else time() - game.touched


async def read_game(store: Store, game: str, is_live: Callable[[str], bool] = lambda _: False) -> Game | None:
    """Return a whole game by its id or its short id of the log; None if it is not kept.

    Raises the errors of the database.
    """
    if (header := await store.header(game) or await store.newest_named(game)) is None:
        return None
    return whole(header, unpack_all(await store.records(header.id)), is_live(header.id))


async def read_kept(store: Store, game: str) -> tuple[Header | None, set[Key]]:
    """Return a game's header and the keys of its records. Raises the errors of the database."""
    header = await store.header(game)
    records = await store.records(game) if header else []
    return header, {key_of(record) for record in unpack_all(records)}


async def in_time(reading: Awaitable[_Found], otherwise: _Found) -> _Found:
    """Return the database's result, or a substitute if it fails or takes too long."""
    try:
        async with asyncio.timeout(_PATIENCE):
            return await reading
    except Exception as error:
        # SQLAlchemy, its drivers and the network share no base exception.
        log.warning("games not read", reason=in_a_line(error))
        return otherwise
