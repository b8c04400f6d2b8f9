"""A searcher of the gateway's own: a child process on a Unix socket, started again whenever it ends."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog

from gateway.searchers import leash

log = structlog.get_logger(__name__)

SEARCHER_COMMAND = (sys.executable, "-m", "searcher", "serve", "--listen")
"""The command of a searcher, short of the address to listen on."""

_FIRST_PAUSE = 0.05
_LONGEST_PAUSE = 5.0
_STEADY = 10.0
"""Seconds after which a searcher counts as having worked."""

_PATIENCE = 1.0
"""Seconds that a searcher has to end by itself."""


@asynccontextmanager
async def embedded(command: Sequence[str] = SEARCHER_COMMAND) -> AsyncIterator[str]:
    """Keep a searcher running; gives its gRPC target.

    `command` gets the target as its last argument and inherits standard output and error.
    """
    with TemporaryDirectory(prefix="battlesnake-") as directory:
        target = f"unix:{Path(directory) / 'searcher.sock'}"
        keeper = asyncio.create_task(_keep_running([*command, target]))
        try:
            yield target
        finally:
            keeper.cancel()
            with suppress(asyncio.CancelledError):
                await keeper


async def _keep_running(command: Sequence[str]) -> None:
    """Start the command again each time that it ends, later and later if it ends at once."""
    now = asyncio.get_running_loop().time
    pause = _FIRST_PAUSE
    while True:
        started = now()
        try:
            reason = f"exit status {await _run(command)}"
        except OSError as error:
            reason = f"not started: {error}"
        if now() - started >= _STEADY:
            pause = _FIRST_PAUSE
        log.error("searcher ended", reason=reason, restart_in_seconds=pause)
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


async def _run(command: Sequence[str]) -> int:
    """Run the command to its end; on cancellation, end it. Returns its exit status."""
    process = await asyncio.create_subprocess_exec(
        # -I: nothing of the environment gets in the leash's way.
        sys.executable,
        "-I",
        leash.__file__,
        str(os.getpid()),
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        # A Ctrl-C in the terminal is for the gateway, which still needs the searcher to answer.
        start_new_session=True,
    )
    log.info("searcher started", pid=process.pid)
    try:
        return await process.wait()
    finally:
        await _end(process)


async def _end(process: asyncio.subprocess.Process) -> None:
    """End the process and whatever it has started, by force if it takes too long."""
    with suppress(TimeoutError, ProcessLookupError):
        process.terminate()
        await asyncio.wait_for(process.wait(), _PATIENCE)
    # It led a session of its own, so this reaches all that it may have left behind.
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
