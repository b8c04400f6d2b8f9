"""The embedded searcher: a child process on a Unix socket, restarted whenever it ends.

The arena's service, if the gateway shows its matches, runs in the same way.
"""

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
"""The command of a searcher, without the address to listen on."""

_GUARDS = frozenset({"SEARCHER_TLS_CERT", "SEARCHER_TLS_KEY", "SEARCHER_TLS_CLIENT_CA", "SEARCHER_TOKENS"})
"""Variables that guard a searcher's port on a network. Nobody else reaches the socket of an embedded one."""

_FIRST_BACKOFF = 0.05
_MAX_BACKOFF = 5.0
_STABLE_AFTER = 10.0
"""Seconds of running after which the backoff starts again from the first one."""

_EXIT_TIMEOUT = 1.0
"""Seconds between SIGTERM and SIGKILL."""


@asynccontextmanager
async def embedded(command: Sequence[str] = SEARCHER_COMMAND, name: str = "searcher") -> AsyncIterator[str]:
    """Keep a searcher, or another service of this name, running; yield its address, a gRPC target.

    The address is added to `command` as its last argument. The process inherits standard output and error.
    """
    with TemporaryDirectory(prefix="battlesnake-") as directory:
        target = f"unix:{Path(directory) / name}.sock"
        keeper = asyncio.create_task(_keep_running([*command, target], name))
        try:
            yield target
        finally:
            keeper.cancel()
            with suppress(asyncio.CancelledError):
                await keeper


async def _keep_running(command: Sequence[str], name: str) -> None:
    """Restart the command each time it ends, with a growing backoff while it ends early."""
    now = asyncio.get_running_loop().time
    backoff = _FIRST_BACKOFF
    while True:
        started = now()
        try:
            reason = f"exit status {await _run(command, name)}"
        except OSError as error:
            reason = f"not started: {error}"
        if now() - started >= _STABLE_AFTER:
            backoff = _FIRST_BACKOFF
        log.error(f"{name} ended", reason=reason, restart_in_seconds=backoff)
        await asyncio.sleep(backoff)
        backoff = min(2 * backoff, _MAX_BACKOFF)


async def _run(command: Sequence[str], name: str) -> int:
    """Run the command and return its exit status; on cancellation, end it."""
    process = await asyncio.create_subprocess_exec(
        # -I isolates the leash from the environment.
        sys.executable,
        "-I",
        leash.__file__,
        str(os.getpid()),
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        env={variable: value for variable, value in os.environ.items() if variable not in _GUARDS},
        # Ctrl-C in a terminal must end only the gateway, which needs the searcher for its last answers.
        start_new_session=True,
    )
    log.info(f"{name} started", pid=process.pid)
    try:
        return await process.wait()
    finally:
        await _terminate(process)


async def _terminate(process: asyncio.subprocess.Process) -> None:
    """End the process and its children, with SIGKILL if it takes too long."""
    with suppress(TimeoutError, ProcessLookupError):
        process.terminate()
        await asyncio.wait_for(process.wait(), _EXIT_TIMEOUT)
    # The process led a session of its own, so this reaches every child that it left.
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
