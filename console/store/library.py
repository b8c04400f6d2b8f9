"""All kept games, in memory or in the database."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from datetime import datetime
from typing import TypeVar

from battlesnake_search.common.logs import get_logger
from console.store.assembly import Assembly, summary_of
from console.store.database import in_a_line
from console.store.late_store import LateStore
from console.store.memory import KeptGame, Memory
from console.store.records import Header, Key, Record, key_of, unpack_all
from console.store.results import Results, Wanted
from console.store.values import Game, Summary

log = get_logger(__name__)

_PATIENCE = 3.0
"""The most seconds that a reader waits for the database."""

_IMPORT_PATIENCE = 10.0
"""The most seconds that an import waits until the database is open and upgraded."""

IDLE = 30.0
"""Seconds after its last request in which a running game counts as played."""

MOST_SEARCHED = 5000
"""The largest number of games that a filter reads, newest first."""

_BATCH = 50
"""The games that a filter reads in one piece."""

_SLICE = 32
"""The records that are joined in one piece. A piece delays a move by about a millisecond."""

_Found = TypeVar("_Found")


class Library:
    """The reader of games. Games that the database can't return in time are missing, and this is logged."""

    def __init__(self, memory: Memory, store: LateStore | None) -> None:
        self._memory = memory
        self._store = store
        # Many concurrent readers of whole games would delay moves.
        self._reading = asyncio.Lock()
        self._counting = asyncio.Lock()

    @property
    def live(self) -> int:
        """The number of running games."""
        return len(self._memory.live())

    @property
    def playing(self) -> int:
        """The number of running games with a request in the last half minute."""
        return sum((_idle(game) or 0.0) < IDLE for game in self._memory.live())

    async def count(self) -> int:
        """Return the number of kept games."""
        stored = await in_time(self._store.count(), 0) if self._store else 0
        return max(stored, len(self._memory))

    async def newest(self, before: str | None, limit: int) -> list[Summary]:
        """Return the newest games or, with `before`, the newest games that are older than this game.

        Raises KeyError if the game `before` is not kept.
        """
        mark = None if before is None else await self._header(before)
        if before is not None and mark is None:
            raise KeyError(before)
        stored = await in_time(self._store.headers(mark, limit), []) if self._store else []
        headers = {header.id: header for header in stored}
        own = (game.header for game in self._memory)
        headers |= {header.id: header for header in own if mark is None or _age(header) < _age(mark)}
        newest_first = sorted(headers.values(), key=_age, reverse=True)[:limit]
        return [summary_of(header, _idle(self._memory.get(header.id))) for header in newest_first]

    async def found(self, wanted: Wanted, before: str | None, limit: int) -> list[Summary]:
        """Return the newest games that are wanted, as `newest`."""
        if wanted.state == "playing" and before is None:
            running = [summary_of(game.header, _idle(game)) for game in self._memory.live()]
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
        # Many concurrent readers of all games would delay moves.
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
            # Let requests that have arrived meanwhile run first.
            await asyncio.sleep(0)

    async def game(self, game: str) -> Game | None:
        """Return a whole game; None if it is not kept."""
        async with self._reading:
            header = await self._header(game)
            if header is None:
                return None
            assembly = Assembly(header)
            records = await self._records(game)
            for number, key in enumerate(sorted(records), 1):
                assembly.add(records[key])
                if number % _SLICE == 0:
                    await asyncio.sleep(0)
            return assembly.game(self.is_live(game))

    async def kept(self, game: str) -> tuple[Header | None, set[Key]]:
        """Return a game's header and the keys of its records. The header is None if the game is not kept.

        Raises the errors of the database, and TimeoutError, because an unread game may be kept.
        """
        in_memory = self._memory.get(game)
        header = in_memory.header if in_memory else None
        keys = {key_of(record) for record in in_memory.records()} if in_memory else set()
        if self._store:
            async with asyncio.timeout(_IMPORT_PATIENCE):
                # The tables may not exist yet.
                await self._store.prepare()
            async with self._reading, asyncio.timeout(_PATIENCE):
                header = header or await self._store.header(game)
                for record in unpack_all(await self._store.records(game)):
                    keys.add(key_of(record))
                    await asyncio.sleep(0)
        return header, keys

    def is_live(self, game: str) -> bool:
        """Return whether a game is running at this gateway."""
        kept = self._memory.get(game)
        return kept is not None and kept.is_live

    async def _header(self, game: str) -> Header | None:
        if kept := self._memory.get(game):
            return kept.header
        return await in_time(self._store.header(game), None) if self._store else None

    async def _records(self, game: str) -> dict[Key, Record]:
        """Return a game's records from memory and database, because each may lack some."""
        kept = self._memory.get(game)
        packed = await in_time(self._store.records(game), []) if self._store else []
        records = {key_of(record): record for record in kept.records()} if kept else {}
        for start in range(0, len(packed), _SLICE):
            slice_ = unpack_all(packed[start : start + _SLICE])
            records |= {key_of(record): record for record in slice_}
            await asyncio.sleep(0)
        return records


def _idle(game: KeptGame | None) -> float | None:
    """Return the seconds since the last request of a running game; None if it is over or unknown."""
    if game is None or not game.is_live:
        return None
    return asyncio.get_running_loop().time() - game.touched


def _age(header: Header) -> tuple[datetime, str]:
    return header.seen_at, header.id


async def in_time(reading: Awaitable[_Found], otherwise: _Found) -> _Found:
    """Return the database's result, or a substitute if it fails or takes too long."""
    try:
        async with asyncio.timeout(_PATIENCE):
            return await reading
    except Exception as error:
        # SQLAlchemy, its drivers and the network share no base exception.
        log.warning("games not read", reason=in_a_line(error))
        return otherwise
