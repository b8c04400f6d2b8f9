"""All kept games, in memory or in the database. The database is opened when the gateway listens."""

import asyncio
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, Self, TypeVar

import structlog

from battlesnake_search.common.launch import uncollected
from gateway.game.values import Outcome
from gateway.replay.assembly import Assembly, summary_of
from gateway.replay.values import Game, Summary
from gateway.store.database import in_a_line
from gateway.store.memory import Memory
from gateway.store.records import Bounds, Header, Key, Record, Renamed, Row, key_of, unpack

if TYPE_CHECKING:
    from gateway.store.store import Store

log = structlog.get_logger(__name__)

_PATIENCE = 3.0
"""The most seconds that a reader waits for the database."""

_IMPORT_PATIENCE = 10.0
"""The most seconds that an import waits until the database is open and upgraded."""

_SLICE = 32
"""The records that are joined in one piece. A piece delays a move by about a millisecond."""

_Found = TypeVar("_Found")


class Shelf(Protocol):
    """The games in a database. While the database is lost, the methods may raise any error."""

    async def prepare(self) -> None:
        """Create or upgrade the tables."""

    async def count(self) -> int:
        """Return the number of games."""

    async def headers(self, before: Header | None, limit: int) -> list[Header]:
        """Return the newest games, or the newest of those that are older than another one."""

    async def header(self, game: str) -> Header | None:
        """Return a game without its turns; None if it is not kept."""

    async def records(self, game: str) -> list[bytes]:
        """Return the records of a game, packed."""


class Library:
    """The reader of games. Games that the database can't return in time are missing, and this is logged."""

    def __init__(self, memory: Memory, shelf: Shelf | None) -> None:
        self._memory = memory
        self._shelf = shelf
        # Many concurrent readers of whole games would delay moves.
        self._reading = asyncio.Lock()

    @property
    def live(self) -> int:
        """The number of running games."""
        return len(self._memory.live())

    async def count(self) -> int:
        """Return the number of kept games."""
        stored = await _in_time(self._shelf.count(), 0) if self._shelf else 0
        return max(stored, len(self._memory))

    async def newest(self, before: str | None, limit: int) -> list[Summary]:
        """Return the newest games, or the newest of those that are older than another one.

        Raises KeyError if this older game is not kept.
        """
        mark = None if before is None else await self._header(before)
        if before is not None and mark is None:
            raise KeyError(before)
        stored = await _in_time(self._shelf.headers(mark, limit), []) if self._shelf else []
        headers = {header.id: header for header in stored}
        own = (game.header for game in self._memory)
        headers |= {header.id: header for header in own if mark is None or _age(header) < _age(mark)}
        newest_first = sorted(headers.values(), key=_age, reverse=True)[:limit]
        return [summary_of(header, self.is_live(header.id)) for header in newest_first]

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
        """Return a game's header, None if it is not kept, and the keys of its records.

        Raises the errors of the database, and TimeoutError, because an unread game may be kept.
        """
        in_memory = self._memory.get(game)
        header = in_memory.header if in_memory else None
        keys = {key_of(record) for record in in_memory.records()} if in_memory else set()
        if self._shelf:
            async with asyncio.timeout(_IMPORT_PATIENCE):
                # The tables may not exist yet.
                await self._shelf.prepare()
            async with self._reading, asyncio.timeout(_PATIENCE):
                header = header or await self._shelf.header(game)
                for packed in await self._shelf.records(game):
                    keys.add(key_of(unpack(packed)))
                    await asyncio.sleep(0)
        return header, keys

    def is_live(self, game: str) -> bool:
        """Return whether a game is running at this gateway."""
        kept = self._memory.get(game)
        return kept is not None and kept.is_live

    async def _header(self, game: str) -> Header | None:
        if kept := self._memory.get(game):
            return kept.header
        return await _in_time(self._shelf.header(game), None) if self._shelf else None

    async def _records(self, game: str) -> dict[Key, Record]:
        """Return a game's records from memory and database, because each may lack some."""
        kept = self._memory.get(game)
        packed = await _in_time(self._shelf.records(game), []) if self._shelf else []
        records = {key_of(record): record for record in kept.records()} if kept else {}
        for start in range(0, len(packed), _SLICE):
            slice_ = map(unpack, packed[start : start + _SLICE])
            records |= {key_of(record): record for record in slice_}
            await asyncio.sleep(0)
        return records


def _age(header: Header) -> tuple[datetime, str]:
    return header.seen_at, header.id


async def _in_time(reading: Awaitable[_Found], otherwise: _Found) -> _Found:
    """Return the database's result, or a substitute if it fails or takes too long."""
    try:
        async with asyncio.timeout(_PATIENCE):
            return await reading
    except Exception as error:
        # SQLAlchemy, its drivers and the network share no base exception.
        log.warning("games not read", reason=in_a_line(error))
        return otherwise


_HEAD_START = 1.0
"""Seconds before the import, because it competes with the first moves and the start of the searcher."""


class LateStore:
    """The store at a SQLAlchemy URL, with Store's methods. Its first use opens it in a thread.

    An asynchronous context manager: leaving it closes the store. `name` is empty until the store is open. If
    the store does not open, each use raises the error and tries again.
    """

    def __init__(self, url: str, bounds: Bounds | None = None) -> None:
        self.name = ""
        self._url = url
        self._bounds = bounds
        self._opening: asyncio.Task[Store] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._opening:
            self._opening.cancel()
            # Each use of the store has raised the reason of the failure.
            with suppress(asyncio.CancelledError, Exception):
                await (await self._opening).__aexit__(*error)

    async def opened(self) -> "Store":
        """Open the store if it is not open, and return it."""
        if self._opening is None or (self._opening.done() and self._opening.exception()):
            self._opening = asyncio.create_task(self._open())
        return await asyncio.shield(self._opening)

    async def prepare(self) -> None:
        """Create the file or the tables if missing, and upgrade an older schema."""
        await (await self.opened()).prepare()

    async def add_outcomes(self, items: Sequence[Outcome | Renamed]) -> None:
        """Apply all items in their order or, on an error, none."""
        await (await self.opened()).add_outcomes(items)

    async def add_rows(self, rows: Sequence[Row]) -> None:
        """Apply all rows in their order or, on an error, none."""
        await (await self.opened()).add_rows(rows)

    async def count(self) -> int:
        """Return the number of games."""
        return await (await self.opened()).count()

    async def headers(self, before: Header | None, limit: int) -> list[Header]:
        """Return the newest games, or the newest of those that are older than another one."""
        return await (await self.opened()).headers(before, limit)

    async def header(self, game: str) -> Header | None:
        """Return a game without its turns; None if it is not kept."""
        return await (await self.opened()).header(game)

    async def records(self, game: str) -> list[bytes]:
        """Return the records of a game, packed."""
        return await (await self.opened()).records(game)

    async def _open(self) -> "Store":
        await asyncio.sleep(_HEAD_START)
        with uncollected():
            store = await asyncio.to_thread(_open_store, self._url, self._bounds)
        self.name = store.name
        return store


def _open_store(url: str, bounds: Bounds | None) -> "Store":
    # The packages belong to the extra `outcomes`.
    from gateway.store.store import Store

    return Store(url, bounds)
