"""The store of a gateway. Its database is opened in a thread when the gateway listens."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from battlesnake_search.common.launch import uncollected
from battlesnake_search.record.outcome import Outcome
from console.store.records import Bounds, Header, Renamed, ReviewRow, Row

if TYPE_CHECKING:
    from console.store.store import Store

_HEAD_START = 1.0
"""Seconds before the import, because it competes with the first moves and the start of the searcher."""


class LateStore:
    """The store at a SQLAlchemy URL, with Store's methods. Its first use opens it in a thread.

    An asynchronous context manager: leaving it closes the store. `name` is empty until the store is open. If
    the store could not be opened, each use tries again, and raises the error if that fails.
    """

    def __init__(self, url: str, bounds: Bounds | None = None, outcomes_bytes: int | None = None) -> None:
        self.name = ""
        self._url = url
        self._bounds = bounds
        self._outcomes_bytes = outcomes_bytes
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

    async def tidy(self) -> None:
        """Remove what exceeds the bounds, if the last removal is long ago or much was added since."""
        await (await self.opened()).tidy()

    async def count(self) -> int:
        """Return the number of games."""
        return await (await self.opened()).count()

    async def headers(self, before: Header | None, limit: int) -> list[Header]:
        """Return the newest games or, with `before`, the newest games that are older than this game."""
        return await (await self.opened()).headers(before, limit)

    async def header(self, game: str) -> Header | None:
        """Return a game without its turns; None if it is not kept."""
        return await (await self.opened()).header(game)

    async def records(self, game: str) -> list[bytes]:
        """Return the records of a game, packed."""
        return await (await self.opened()).records(game)

    async def review(self, game: str, snake: str) -> ReviewRow | None:
        """Return the review of a game for a snake; None without a review."""
        return await (await self.opened()).review(game, snake)

    async def _open(self) -> "Store":
        await asyncio.sleep(_HEAD_START)
        with uncollected():
            store = await asyncio.to_thread(_open_store, self._url, self._bounds, self._outcomes_bytes)
        self.name = store.name
        return store


def _open_store(url: str, bounds: Bounds | None, outcomes_bytes: int | None) -> "Store":
    # The packages belong to the extra `outcomes`.
    from console.store.store import Store

    return Store(url, bounds, outcomes_bytes)
