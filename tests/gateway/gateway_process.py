"""The gateway as a process, and its other commands in this process."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import aiohttp

from gateway.commands.main import main
from tests.support import admin
from tests.support.child_process import killed
from tests.support.command_process import PATIENCE, Process, Program
from tests.support.services import ONLY_DEFAULT, free_port

_GATEWAY = Program("gateway", main, {"CONSOLE_TARGET": "none"} | ONLY_DEFAULT | admin.ENVIRONMENT)
"""Gateways that record no games, compile little and need one port."""

COMMAND = _GATEWAY.command

start, fails, refused = _GATEWAY.start, _GATEWAY.fails, _GATEWAY.refused

PLAIN_COMMAND = _GATEWAY.without("sqlalchemy", "aiosqlite", "asyncpg", "openskill", "rich")
"""The gateway without any extra of this project."""


@asynccontextmanager
async def serving(
    target: str, command: Sequence[str] = (), log: str = "", port: str = "", **environment: str
) -> AsyncIterator[tuple[Process, aiohttp.ClientSession]]:
    """Start a gateway process, by default at any free port; yield it and a client when it is ready."""
    port = port or str(free_port())
    environment |= {"PORT": port, "SEARCHER_TARGET": target}
    process = await start("--host", "127.0.0.1", command=command, log=log, **environment)
    async with aiohttp.ClientSession(f"http://127.0.0.1:{port}", headers=admin.HEADERS) as client:
        try:
            await asyncio.wait_for(answers(client, "/readyz"), PATIENCE)
            yield process, client
        finally:
            await killed(process)


async def answers(client: aiohttp.ClientSession, path: str) -> None:
    """Wait until a path is answered with 200."""
    while True:
        try:
            async with client.get(path) as answer:
                if answer.status == 200:
                    return
        except aiohttp.ClientConnectionError:
            await asyncio.sleep(0.05)
