"""Stores that open once the gateway listens: importing SQLAlchemy and Alembic takes a quarter of a second."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from gateway.game.values import Outcome
from gateway.store.pauses import uncollected

if TYPE_CHECKING:
    from gateway.store.engine import Database
    from gateway.store.outcome_store import Store

_HEAD_START = 1.0
"""Seconds for the gateway's first moves and for the start of its searcher, with which the import competes."""

_Store = TypeVar("_Store", bound="Database")


class Late(Generic[_Store]):
    """A store that its first use opens, in a thread. An asynchronous context manager: leaving it closes it.

    `name` is empty until the store is open. If `open_store` fails, the use of the store raises its error, and
    the next use tries again.
    """

    def __init__(self, open_store: Callable[[], _Store]) -> None:
        self.name = ""
        self._open_store = open_store
        self._opening: asyncio.Task[_Store] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._opening:
            self._opening.cancel()
            # Whoever used the store has seen why it did not open.
            with suppress(asyncio.CancelledError, Exception):
                await (await self._opening).__aexit__(*error)

    async def opened(self) -> _Store:
        """Return the store, and open it before if it is not open."""
        if self._opening is None or (self._opening.done() and self._opening.exception()):
            self._opening = asyncio.create_task(self._open())
        return await asyncio.shield(self._opening)

    async def prepare(self) -> None:
        """Create the file or the tables if missing, and upgrade an older schema."""
        await (await self.opened()).prepare()

    async def _open(self) -> _Store:
        await asyncio.sleep(_HEAD_START)
        with uncollected():
            store = await asyncio.to_thread(self._open_store)
        self.name = store.name
        return store


class LateStore(Late["Store"]):
    """The outcomes in the database at a URL."""

    def __init__(self, url: str) -> None:
        super().__init__(lambda: _open_store(url))

    async def add(self, outcomes: Sequence[Outcome]) -> None:
        """Store all outcomes or, on an error, none. Outcomes that are stored already stay as they are."""
        await (await self.opened()).add(outcomes)


def _open_store(url: str) -> "Store":
    # Its packages belong to the extra `outcomes`.
    from gateway.store.outcome_store import Store

    return Store(url)
