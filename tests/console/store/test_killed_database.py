"""Thousands of games that end while the database is killed and restarted."""

import asyncio
from typing import Any

import msgspec
from aiohttp.test_utils import TestClient, TestServer

from battlesnake_search.common.logs import EventDict
from console.store.database import read_database
from gateway import app
from gateway.settings import Settings
from tests.console.serving import ServedConsole, serving
from tests.console.store.outcome_samples import stored_outcomes
from tests.gateway.scripted_searcher import body
from tests.support.logs import capture_logs
from tests.support.postgres import Postgres

GAMES = 3_000
KILLED_AT = 900
BACK_AT = 1_800
MANY = 300
ENDED_TWICE = 10
"""The end of every tenth game is sent again after the database is back."""

NOBODY = "127.0.0.1:1"
PATIENCE = 60.0
AT_ONCE = 20


async def test_thousands_of_ends_and_a_killed_database(postgres: Postgres) -> None:
    """Each game is stored once, although PostgreSQL is killed and some ends are sent twice."""
    database = read_database(postgres.url)
    with capture_logs() as lines:
        async with serving(database, games=None) as console:
            await _play_through(console, database.url, postgres, lines)
    assert not any(line["event"] == "outcome lost" for line in lines)


async def _play_through(console: ServedConsole, url: str, postgres: Postgres, lines: list[EventDict]) -> None:
    application = app.build(Settings(searcher=NOBODY, console=console.target))
    async with TestClient(TestServer(application)) as client:
        before = await _count(url)
        await _end_games(client, range(KILLED_AT))
        while await _count(url) == before:
            await asyncio.sleep(0.01)
        killing = asyncio.create_task(_end_games(client, range(KILLED_AT, BACK_AT)))
        await asyncio.sleep(0.05)
        postgres.kill()
        await killing
        async with asyncio.timeout(PATIENCE):
            # A shorter outage would not test anything.
            while _waiting(console) <= MANY:
                await asyncio.sleep(0.01)
        assert [line["event"] for line in lines if line["event"] == "database lost"] == ["database lost"]
        restart = asyncio.create_task(asyncio.to_thread(postgres.start))
        await _end_games(client, range(BACK_AT, GAMES))
        await restart
        await _end_games(client, range(0, GAMES, ENDED_TWICE))
        async with asyncio.timeout(PATIENCE):
            while await _count(url) - before < GAMES or _waiting(console):
                await asyncio.sleep(0.1)
    assert await _count(url) - before == GAMES


async def _end_games(client: TestClient[Any, Any], numbers: range) -> None:
    """Post an /end for each number, several at once."""
    end = body("standard-end-86")
    left = iter(numbers)

    async def post() -> None:
        for number in left:
            sent = end | {"game": end["game"] | {"id": f"of thousands {number}"}}
            async with client.post("/end", data=msgspec.json.encode(sent)) as answer:
                assert answer.status == 200

    await asyncio.gather(*(post() for _ in range(AT_ONCE)))


async def _count(url: str) -> int:
    return len(await stored_outcomes(url))


def _waiting(console: ServedConsole) -> float:
    """Return the number of outcomes that wait in the console for the database."""
    return console.registry.get_sample_value("console_outcomes_waiting") or 0.0
