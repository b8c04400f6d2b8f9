"""Stores behind PgBouncer in transaction mode: a client has another connection for each transaction."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context

import pytest

from battlesnake_search.record.outcome import Outcome
from console.store.database import read_database
from console.store.recorder import header_of, position_of
from console.store.records import Bounds, Header, ReviewRow, game_row, record_row
from console.store.store import Store
from tests.console.store.game_samples import SEEN, turn_at
from tests.console.store.outcome_samples import outcome_with
from tests.support.dependencies import report_missing
from tests.support.pgbouncer import PgBouncerMissingError, pooling
from tests.support.postgres import Postgres

GATEWAYS = 2
ROUNDS = 10


@pytest.fixture(params=[1, 3])
def pooled(request: pytest.FixtureRequest, postgres: Postgres) -> Iterator[str]:
    """Yield the URL of a pooler with few connections."""
    with suppress(PgBouncerMissingError), pooling(postgres.url, request.param) as url:
        yield url
        return
    report_missing("PgBouncer", "pgbouncer")


def test_several_gateways_may_share_the_connections_of_a_pooler(pooled: str) -> None:
    """No statement of a gateway meets a statement of another gateway, or misses its own."""
    url = read_database(f"{pooled}?application_name=snake").url
    # asyncpg numbers the statements of a process, so gateways in one process would never collide.
    with ProcessPoolExecutor(GATEWAYS, get_context("spawn")) as gateways:
        list(gateways.map(_play, [url] * GATEWAYS, range(GATEWAYS)))
    games, running = asyncio.run(_read(url))
    assert running
    expected = {f"{number}-{turn}" for number in range(GATEWAYS) for turn in range(ROUNDS)}
    assert expected <= {game.game_id for game in games}


async def _read(url: str) -> tuple[list[Outcome], list[Header]]:
    async with Store(url) as store:
        return await store.outcomes(), await store.running(SEEN)


def _play(url: str, number: int) -> None:
    asyncio.run(_play_all(url, number))


async def _play_all(url: str, number: int) -> None:
    async with Store(url, Bounds(1000, 10**9)) as store:
        await store.prepare()
        for turn in range(ROUNDS):
            await _play_one(store, f"{number}-{turn}")


async def _play_one(store: Store, game: str) -> None:
    played = turn_at(0, game)
    await store.add([outcome_with(game_id=game, part=part) for part in "ab"])
    await store.add([game_row(header_of(played)), record_row(game, position_of(played))])
    await store.add([ReviewRow(game, "snake", 1, b"{}")])
    assert await store.headers(None, 5) and await store.records(game)
    assert await store.review(game, "snake")
