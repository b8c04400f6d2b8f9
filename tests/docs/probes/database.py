"""One step more of what the database keeps, and of what waits for it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from prometheus_client import CollectorRegistry

from battlesnake_search.common.metrics import exposition
from console.store.database import read_database
from console.store.metrics import RecordMetrics
from console.store.recorder import header_of
from console.store.records import Bounds, RecordRow, game_row
from console.store.store import Store
from console.store.writer import LEAST_BYTES, Writer
from gateway.settings import Settings
from tests.console.store import test_pruning
from tests.console.store.game_samples import turn_at
from tests.console.store.outcome_samples import outcome_with
from tests.console.store.test_writer import FlakyStore
from tests.docs.bounds import probe


@asynccontextmanager
async def _database() -> AsyncIterator[str]:
    """Yield the URL of an empty database."""
    with TemporaryDirectory() as folder:
        yield read_database(str(Path(folder) / "outcomes.sqlite")).url


@probe("console.store.records.DEFAULT_OUTCOMES_BYTES")
async def _outcomes(most: int) -> None:
    assert Settings.__dataclass_fields__["outcomes_bytes"].default == most
    async with _database() as url:
        await test_pruning.test_forged_ends_do_not_push_out_real_games(url)


@probe("console.store.records.DEFAULT_BOUNDS.games")
async def _games(most: int) -> None:
    async with _database() as url, Store(url) as store:
        await store.prepare()
        await store.add_rows([game_row(header_of(turn_at(0, f"g{each}"))) for each in range(most + 1)])
        await store.prune(Bounds(most, 10**9))
        assert len(await store.headers(None, 2 * most)) == most


@probe("console.store.records.DEFAULT_BOUNDS.bytes")
async def _bytes_of_games(most: int) -> None:
    default = Settings.__dataclass_fields__["games"].default
    assert isinstance(default, Bounds) and default.bytes == most
    async with _database() as url:
        await test_pruning.test_reviews_count(url)


@probe("console.store.writer.MAX_OUTCOME_BYTES")
async def _waiting_outcomes(most: int) -> None:
    store, metrics = FlakyStore(), RecordMetrics(CollectorRegistry())
    store.open.clear()
    one = outcome_with(opponents=[])
    async with Writer(store, metrics) as writing:
        for _ in range(most // LEAST_BYTES):
            writing.record(one)
        assert not _lost(metrics)
        writing.record(one)
        assert _lost(metrics) == 1
        store.open.set()


def _lost(metrics: RecordMetrics) -> float:
    [line] = [
        line
        for line in exposition(metrics.registry, "")[0].decode().splitlines()
        if 'outcomes_total{fate="lost"}' in line
    ]
    return float(line.rpartition(" ")[2])


@probe("console.store.writer.MAX_ROW_BYTES")
async def _waiting_rows(most: int) -> None:
    store, metrics = FlakyStore(), RecordMetrics(CollectorRegistry())
    store.open.clear()
    row = RecordRow("g", 0, "", b"")
    async with Writer(store, metrics) as writing:
        for _ in range(most // LEAST_BYTES):
            writing.put(row)
        before = metrics.records.lost
        writing.put(row)
        assert (before, metrics.records.lost) == (0, 1)
        store.open.set()
