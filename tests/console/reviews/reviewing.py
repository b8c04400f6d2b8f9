"""A reviewer with a database of its own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from prometheus_client import CollectorRegistry

from console.reviews.reviewer import Reviewer
from console.searchers import Searchers
from console.store.database import read_database
from console.store.library import Library
from console.store.live import LiveGames
from console.store.records import DEFAULT_BOUNDS
from console.store.store import Store
from console.store.writer import Writer


@asynccontextmanager
async def reviewing(folder: Path, *, after_losses: bool = False) -> AsyncIterator[tuple[Library, Reviewer]]:
    """Yield the library of an empty database in a folder, and a reviewer of its games."""
    url = read_database(str(folder / "reviews.sqlite")).url
    async with (
        Store(url, DEFAULT_BOUNDS) as store,
        Searchers(["unix:/nowhere"]) as searchers,
        Writer(store, CollectorRegistry()) as writer,
    ):
        await writer.opened.wait()
        library = Library(LiveGames(), store)
        yield library, Reviewer(library, store, writer, searchers, after_losses=after_losses)
