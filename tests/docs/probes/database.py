"""One step more of what the database keeps, and of what waits for it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from prometheus_client import CollectorRegistry

from console.store.database import read_database
from console.store.recorder import header_of
from console.store.records import Bounds, RecordRow, game_row
from console.store.store import Store
from console.store.writer import LEAST_BYTES, Writer
from tests.console.store import test_pruning
from tests.console.store.game_samples import turn_at
from tests.console.store.test_writer import FlakyStore
from tests.docs.bounds import probe, tested


@asynccontextmanager
async def _database() -> AsyncIterator[str]:
    """Yield the URL of an empty database."""
    with TemporaryDirectory() as folder:
        yield read_database(str(Path(folder) / "outcomes.sqlite")).url


@probe("console.store.records.DEFAULT_BOUNDS.games")
async def _games(most: int) -> None:
    async with _database() as url, Store(url) as store:
        await store.prepare()
        await store.add([game_row(header_of(turn_at(0, f"g{each}"))) for each in range(most + 1)])
        await store.prune(Bounds(most, 10**9))
        assert len(await store.headers(None, 2 * most)) == most


@probe("console.store.writer.MOST_BYTES")
async def _waiting(most: int) -> None:
    store = FlakyStore()
    store.open.clear()
    row = RecordRow("g", 0, "", bytes(most // 100 - LEAST_BYTES))
    async with Writer(store, CollectorRegistry()) as writing:
        for _ in range(100):
            async with asyncio.timeout(1):
                await writing.room()
            writing.add([row])
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await writing.room()
        assert (writing.waiting, writing.lost_records) == (100, 0)
        store.open.set()


tested(
    "console.store.records.DEFAULT_OUTCOMES_BYTES",
    test_pruning.test_forged_ends_do_not_push_out_real_games,
)
tested("console.store.records.DEFAULT_BOUNDS.bytes", test_pruning.test_reviews_count)
