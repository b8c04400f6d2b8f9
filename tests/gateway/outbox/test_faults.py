"""A gateway and its console as processes that are killed or stopped during games."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from copy import deepcopy
from pathlib import Path

import aiohttp
import pytest

from console.store.database import read_database
from console.store.records import Position, unpack_all
from console.store.store import Store
from gateway.outbox.outbox import Outbox
from tests.gateway import scripted_searcher
from tests.gateway.gateway_process import serving
from tests.gateway.scripted_searcher import ScriptedService, body
from tests.support.command_process import PATIENCE, Process
from tests.support.processes import family, module
from tests.support.services import free_port

TURNS = 60
PAUSE = 0.05
"""Seconds between two moves of a game, for 20 moves a second."""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Return the file of the games."""
    return tmp_path / "games.sqlite"


@asynccontextmanager
async def _gateway(
    database: Path, port: str = "", **settings: str
) -> AsyncIterator[tuple[Process, aiohttp.ClientSession]]:
    """Serve a gateway with a console of its own that listens."""
    environment = {"CONSOLE_TARGET": "", "OUTCOMES_URL": str(database), **settings}
    async with (
        scripted_searcher.searcher(ScriptedService(scripted_searcher.at_once)) as target,
        serving(target, log=str(database.with_suffix(".log")), port=port, **environment) as running,
    ):
        async with asyncio.timeout(PATIENCE):
            while "console listens" not in database.with_suffix(".log").read_text():
                await asyncio.sleep(0.02)
        yield running


def _console_of(gateway: Process) -> int:
    [found] = [pid for pid in family(gateway.pid) if module(pid) == "console"]
    return found


async def _play(client: aiohttp.ClientSession, game: str, turns: Iterator[int] | range) -> None:
    """Play turns of a game, and end it after the last one."""
    sent = body(id=game)
    number = 0
    for number in turns:
        async with client.post("/move", json=sent | {"turn": number}) as answer:
            assert answer.status == 200
        await asyncio.sleep(PAUSE)
    last = deepcopy(sent) | {"turn": number + 1}
    async with client.post("/end", json=last) as answer:
        assert answer.status == 200


async def _stored(database: Path, game: str, is_over: bool = True) -> list[int]:
    """Wait until a game is in the database with its end; return the turns with moves."""
    async with asyncio.timeout(PATIENCE), Store(read_database(str(database)).url) as store:
        await store.prepare()
        while True:
            header = await store.header(game)
            if header and (header.ended_at or not is_over):
                found = unpack_all(await store.records(game))
                return [each.turn for each in found if isinstance(each, Position)]
            await asyncio.sleep(0.1)


async def test_the_answer_to_an_end_waits_for_the_console_if_set(database: Path) -> None:
    """The game is stored when the answer leaves. If the console is stopped, a line in the log says so."""
    async with _gateway(database, CONSOLE_WAIT="3") as (process, client):
        await _play(client, "waited", range(2))
        async with Store(read_database(str(database)).url) as store:
            await store.prepare()
            header = await store.header("waited")
        assert header and header.ended_at
        console = _console_of(process)
        os.kill(console, signal.SIGSTOP)
        await asyncio.wait_for(_play(client, "lost", range(2)), PATIENCE)
        os.kill(console, signal.SIGCONT)
    assert database.with_suffix(".log").read_text().count("events not stored yet") == 1


async def test_a_gateway_that_ends_sends_its_last_events_first(database: Path) -> None:
    """The moves of a game without an end are stored before the console and the gateway end."""
    async with _gateway(database) as (process, client):
        async with client.post("/move", json=body(id="last")) as answer:
            assert answer.status == 200
        process.terminate()
        assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
    assert await _stored(database, "last", is_over=False) == [42]
    assert "console lost" not in database.with_suffix(".log").read_text()


async def test_a_stopped_console_hardly_delays_the_end(database: Path) -> None:
    """The events that it has not stored are in the file of the outbox, for the next gateway."""
    port = str(free_port())
    async with _gateway(database, port) as (process, client):
        os.kill(_console_of(process), signal.SIGSTOP)
        await _play(client, "kept", range(2))
        process.terminate()
        assert await asyncio.wait_for(process.wait(), 8) == 0
    async with Outbox(int(port)) as outbox:
        assert outbox.waiting > 2
