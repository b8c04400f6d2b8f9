"""A gateway's own console that dies, hangs or has to make room, and the ends of the gateway in each step."""

import asyncio
import json
import os
import signal
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.gateway import scripted_searcher
from tests.gateway.gateway_process import serving
from tests.gateway.outbox.test_faults import _console_of, _play, _stored
from tests.gateway.scripted_searcher import Script, ScriptedService
from tests.support import admin
from tests.support.command_process import Process
from tests.support.event_loop import until

IS_AT = "the console is at "

PATIENCE = 25.0

TURNS = 30


class Served:
    """A gateway with its own console: the process, a client and the log."""

    def __init__(
        self, process: Process, client: aiohttp.ClientSession, pages: aiohttp.ClientSession, log: Path
    ) -> None:
        self.process = process
        self.client = client
        self._pages = pages
        self._log = log

    def count(self, text: str) -> int:
        """Return how many lines of the log have a text."""
        return sum(text in event for event in self._events())

    def _events(self) -> list[str]:
        # The last line may be torn.
        lines = self._log.read_text().rpartition("\n")[0].splitlines()
        return [json.loads(line)["event"] for line in lines if line.startswith("{")]

    @property
    def urls(self) -> list[str]:
        """The addresses of the console so far, the oldest first."""
        events = self._events()
        return [event.removeprefix(IS_AT) for event in events if event.startswith(IS_AT)]

    @property
    def console(self) -> int:
        """The process id of the console."""
        return _console_of(self.process)

    def stop_console(self) -> None:
        """Stop the console by SIGSTOP."""
        os.kill(self.console, signal.SIGSTOP)

    async def get(self, path: str) -> Any:
        """Return the JSON at a path of the console, as soon as it answers with 200."""
        async with asyncio.timeout(PATIENCE):
            while True:
                with suppress(aiohttp.ClientError):
                    async with self._pages.get(f"{self.urls[-1]}{path}") as answer:
                        if answer.status == 200:
                            return await answer.json()
                await asyncio.sleep(0.05)


@asynccontextmanager
async def gateway(
    folder: Path, script: Script = scripted_searcher.at_once, port: str = "", **environment: str
) -> AsyncIterator[Served]:
    """Serve a gateway whose own console listens. Without OUTCOMES_URL it has a temporary database."""
    log = folder / f"{len(list(folder.glob('*.log')))}.log"
    settings = {"CONSOLE_TARGET": "", "OUTCOMES_URL": "none", "ADMIN": ""} | environment
    async with (
        scripted_searcher.searcher(ScriptedService(script)) as target,
        serving(target, log=str(log), port=port, **settings) as (process, client),
        aiohttp.ClientSession(headers=admin.HEADERS) as pages,
    ):
        served = Served(process, client, pages, log)
        await until(lambda: served.count("console listens"))
        yield served


async def _shows(served: Served, game: str, turns: range) -> None:
    """Wait until the console shows a game with all of its turns, and its end."""
    async with asyncio.timeout(PATIENCE):
        while True:
            found = await served.get(f"api/games/{game}")
            shown = [turn["turn"] for turn in found["turns"] if any(turn["decisions"])]
            if found["over"] and shown == [*turns]:
                return
            await asyncio.sleep(0.1)


async def test_a_killed_console_comes_back_with_its_games(tmp_path: Path) -> None:
    """It has the same address, and all moves of the games in its temporary database."""
    async with gateway(tmp_path) as served:
        await _play(served.client, "before", range(3))
        await _shows(served, "before", range(3))

        def turns() -> Iterator[int]:
            for turn in range(TURNS):
                if turn in (5, 20):
                    os.kill(served.console, signal.SIGKILL)
                yield turn

        await _play(served.client, "during", turns())
        await _shows(served, "during", range(TURNS))
        await _shows(served, "before", range(3))
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
        await _play(served.client, "hung", range(TURNS))
        assert now() - began < PATIENCE / 4
        await until(lambda: not Path(f"/proc/{hung}").exists())
        assert now() - began < 20
        await _shows(served, "hung", range(TURNS))
        assert served.count("console hangs") == 1
        async with served.client.get("/metrics") as answer:
            assert "gateway_console_restarts_total 1.0" in await answer.text()


async def test_a_console_makes_room_for_a_snake(tmp_path: Path) -> None:
    """A snake starts at the port that the console of another one has. The console goes elsewhere."""
    async with gateway(tmp_path) as first:
        port = first.urls[0].rstrip("/").rpartition(":")[2]
        async with gateway(tmp_path, port=port) as second:
            for served, game in ((first, "one"), (second, "two")):
                await _play(served.client, game, range(2))
                await _shows(served, game, range(2))
            assert len(first.urls) == 2 and first.urls[0] != first.urls[1]
            # A restart does not fight for the port.
            os.kill(first.console, signal.SIGKILL)
            await _shows(first, "one", range(2))
            await until(lambda: len(first.urls) == 3)
            assert first.urls[2] == first.urls[1]


async def test_a_console_that_cannot_write_loses_nothing(tmp_path: Path) -> None:
    """Its database is locked during two games. It stores them afterwards."""
    database = tmp_path / "games.sqlite"
    async with gateway(tmp_path, OUTCOMES_URL=str(database)) as served:
        await _play(served.client, "before", range(2))
        assert await _stored(database, "before") == [0, 1]
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            for game in ("one", "two"):
                await _play(served.client, game, range(TURNS))
            other.execute("ROLLBACK")
        for game in ("one", "two"):
            assert await _stored(database, game) == [*range(TURNS)]
        assert served.count("events dropped") == 0
