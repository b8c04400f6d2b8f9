"""A gateway with its own console, as processes that tests kill and stop during games."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp

from console.store.database import read_database
from console.store.records import Position, unpack_all
from console.store.store import Store
from tests.gateway import scripted_searcher
from tests.gateway.gateway_process import serving
from tests.gateway.scripted_searcher import Script, ScriptedService, body
from tests.support import admin
from tests.support.command_process import Process
from tests.support.event_loop import until
from tests.support.processes import family, module

IS_AT = "the console is at "

PATIENCE = 25.0

TURNS = 30

PAUSE = 0.05
"""Seconds between two moves of a game, for 20 moves a second."""


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
    def consoles(self) -> list[int]:
        """The process id of the console; none while it is not running."""
        return [pid for pid in family(self.process.pid) if module(pid) == "console"]

    @property
    def console(self) -> int:
        """The process id of the console, which is running."""
        [found] = self.consoles
        return found

    def stop_console(self) -> None:
        """Stop the console by SIGSTOP."""
        os.kill(self.console, signal.SIGSTOP)

    async def play(self, game: str, turns: Iterator[int] | range) -> None:
        """Play turns of a game, and end it after the last one."""
        number = 0
        for number in turns:
            await self.post("/move", game, number)
            await asyncio.sleep(PAUSE)
        await self.post("/end", game, number + 1)

    async def post(self, path: str, game: str, turn: int) -> None:
        """Send a request of a game."""
        async with self.client.post(path, json=body(id=game) | {"turn": turn}) as answer:
            assert answer.status == 200

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


async def stored(database: Path, game: str, is_over: bool = True) -> list[int]:
    """Wait until a game is in the database with its end; return the turns with moves."""
    async with asyncio.timeout(PATIENCE), Store(read_database(str(database)).url) as store:
        await store.prepare()
        while True:
            header = await store.header(game)
            if header and (header.ended_at or not is_over):
                found = unpack_all(await store.records(game))
                return [each.turn for each in found if isinstance(each, Position)]
            await asyncio.sleep(0.1)


async def shows(served: Served, game: str, turns: range) -> None:
    """Wait until the console shows a game with all of its turns, and its end."""
    async with asyncio.timeout(PATIENCE):
        while True:
            found = await served.get(f"api/games/{game}")
            shown = [turn["turn"] for turn in found["turns"] if any(turn["decisions"])]
            if found["over"] and shown == [*turns]:
                return
            await asyncio.sleep(0.1)
