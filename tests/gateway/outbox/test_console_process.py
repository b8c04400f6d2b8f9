"""A gateway's own console that dies, hangs or has to make room, and the ends of the gateway in each step."""

import asyncio
import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from console.store.database import read_database
from console.store.store import Store
from gateway.outbox.outbox import Outbox
from tests.gateway.outbox.served import PATIENCE, PAUSE, TURNS, gateway, shows, stored
from tests.support.event_loop import until
from tests.support.services import free_port


async def test_a_killed_console_comes_back_with_its_games(tmp_path: Path) -> None:
    """It has the same address, and all moves of the games in its temporary database."""
    async with gateway(tmp_path) as served:
        await served.play("before", range(3))
        await shows(served, "before", range(3))

        for turn in range(TURNS):
            if turn in (5, 20):
                await until(lambda: served.consoles)
                os.kill(served.console, signal.SIGKILL)
            await served.post("/move", "during", turn)
            await asyncio.sleep(PAUSE)
        await served.post("/end", "during", TURNS)
        await shows(served, "during", range(TURNS))
        await shows(served, "before", range(3))
        assert len(served.urls) > 1 and len({*served.urls}) == 1
        await until(lambda: served.count("console back") == served.count("console lost"))
        async with served.client.get("/metrics") as answer:
            assert "gateway_console_restarts_total 2.0" in await answer.text()


@pytest.mark.rest("killed processes")
async def test_a_hung_console_is_restarted(tmp_path: Path) -> None:
    """Within 20 s another one has what came meanwhile. No answer waits for it."""
    async with gateway(tmp_path, OUTCOMES_URL=str(tmp_path / "games.sqlite")) as served:
        hung, now = served.console, asyncio.get_running_loop().time
        served.stop_console()
        began = now()
        await served.play("hung", range(TURNS))
        assert now() - began < PATIENCE / 4
        await until(lambda: not Path(f"/proc/{hung}").exists())
        assert now() - began < 20
        await shows(served, "hung", range(TURNS))
        assert served.count("console hangs") == 1
        async with served.client.get("/metrics") as answer:
            assert "gateway_console_restarts_total 1.0" in await answer.text()


async def test_a_console_makes_room_for_a_snake(tmp_path: Path) -> None:
    """A snake starts at the port that the console of another one has. The console goes elsewhere."""
    async with gateway(tmp_path) as first:
        port = first.urls[0].rstrip("/").rpartition(":")[2]
        async with gateway(tmp_path, port=port) as second:
            for served, game in ((first, "one"), (second, "two")):
                await served.play(game, range(2))
                await shows(served, game, range(2))
            assert len(first.urls) == 2 and first.urls[0] != first.urls[1]
            # A restart does not fight for the port.
            os.kill(first.console, signal.SIGKILL)
            await shows(first, "one", range(2))
            await until(lambda: len(first.urls) == 3)
            assert first.urls[2] == first.urls[1]


async def test_a_console_that_cannot_write_loses_nothing(tmp_path: Path) -> None:
    """Its database is locked during two games. It stores them afterwards."""
    database = tmp_path / "games.sqlite"
    async with gateway(tmp_path, OUTCOMES_URL=str(database)) as served:
        await served.play("before", range(2))
        assert await stored(database, "before") == [0, 1]
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            for game in ("one", "two"):
                await served.play(game, range(TURNS))
            other.execute("ROLLBACK")
        for game in ("one", "two"):
            assert await stored(database, game) == [*range(TURNS)]
        assert served.count("events dropped") == 0


async def test_the_answer_to_an_end_waits_for_the_console_if_set(tmp_path: Path) -> None:
    """The game is stored when the answer leaves. If the console is stopped, a line in the log says so."""
    database = tmp_path / "games.sqlite"
    async with gateway(tmp_path, OUTCOMES_URL=str(database), CONSOLE_WAIT="3") as served:
        await served.play("waited", range(2))
        async with Store(read_database(str(database)).url) as store:
            await store.prepare()
            header = await store.header("waited")
        assert header and header.ended_at
        served.stop_console()
        await asyncio.wait_for(served.play("lost", range(2)), PATIENCE)
        assert served.count("events not stored yet") == 1


async def test_a_gateway_that_ends_sends_its_last_events_first(tmp_path: Path) -> None:
    """The moves of a game without an end are stored before the console and the gateway end."""
    database = tmp_path / "games.sqlite"
    async with gateway(tmp_path, OUTCOMES_URL=str(database)) as served:
        await served.post("/move", "last", 42)
        served.process.terminate()
        assert await asyncio.wait_for(served.process.wait(), PATIENCE) == 0
        assert served.count("console lost") == 0
    assert await stored(database, "last", is_over=False) == [42]


async def test_a_stopped_console_hardly_delays_the_end(tmp_path: Path) -> None:
    """The events that it has not stored are in the file of the outbox, for the next gateway."""
    port = str(free_port())
    async with gateway(tmp_path, port=port) as served:
        served.stop_console()
        await served.play("kept", range(2))
        served.process.terminate()
        assert await asyncio.wait_for(served.process.wait(), 8) == 0
    async with Outbox(int(port)) as outbox:
        assert outbox.waiting > 2
