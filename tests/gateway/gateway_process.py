"""The gateway as a process, and its other commands in this process."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, nullcontext
from unittest.mock import patch

import aiohttp
from click.testing import Result

from gateway.commands.main import main
from tests.support import admin
from tests.support.child_process import killed
from tests.support.commands import called
from tests.support.services import ONLY_DEFAULT, free_port

PATIENCE = 60.0
"""Seconds: far more than the gateway needs to start on a busy machine."""

Process = asyncio.subprocess.Process

COMMAND = ("-m", "gateway")

DEFAULTS = {"CONSOLE_TARGET": "none"} | ONLY_DEFAULT | admin.ENVIRONMENT
"""The environment of gateways that record no games, compile little and need one port."""


def without(*packages: str) -> tuple[str, ...]:
    """Return the command of a gateway for which these packages are not installed."""
    missing = f"import sys; sys.modules |= dict.fromkeys({packages});"
    return "-c", f"{missing} from gateway.commands.main import main; main()"


PLAIN_COMMAND = without("sqlalchemy", "alembic", "aiosqlite", "asyncpg", "openskill", "rich")
"""The gateway without any extra of this project."""


async def start(
    *options: str, command: Sequence[str] = COMMAND, log: str = "", **environment: str
) -> Process:
    """Start a gateway process. It records no games unless the environment has another CONSOLE_TARGET.

    Its log goes to the named file, or to a pipe that holds the log of at most a hundred moves.
    """
    with open(log, "wb") if log else nullcontext(asyncio.subprocess.PIPE) as errors:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            *command,
            *options,
            env=os.environ | DEFAULTS | environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
        )


async def fails(*options: str, command: Sequence[str] = COMMAND, **environment: str) -> tuple[int, str]:
    """Return the exit status and the error output of a gateway that fails to start."""
    process = await start(*options, command=command, **environment)
    try:
        _, error = await asyncio.wait_for(process.communicate(), PATIENCE)
    finally:
        await killed(process)
    return process.returncode or 0, error.decode()


def refused(*options: str, **environment: str) -> tuple[int, str]:
    """Return the exit status and the error output of a command that, in this process, refuses its options."""
    return _refusal(called(main, *options, **(DEFAULTS | environment)))


async def complaint(*options: str, **environment: str) -> tuple[int, str]:
    """Return what `refused` does, for a command that may call servers of this process."""
    return _refusal(await _called(*options, **environment))


def _refusal(result: Result) -> tuple[int, str]:
    assert result.exit_code != 0, result.output
    return result.exit_code, result.stderr


async def output(*options: str) -> str:
    """Return the output of a command that succeeds in a thread of this process."""
    result = await _called(*options)
    assert result.exit_code == 0, result.output
    return result.stdout


async def _called(*options: str, **environment: str) -> Result:
    # A thread receives no signals.
    with patch.object(asyncio.SelectorEventLoop, "add_signal_handler", lambda *_: None):
        return await asyncio.to_thread(called, main, *options, **(DEFAULTS | environment))


@asynccontextmanager
async def serving(
    target: str, command: Sequence[str] = COMMAND, log: str = "", port: str = "", **environment: str
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
