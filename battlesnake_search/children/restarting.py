"""A service of the gateway's own: a child process, restarted whenever it ends."""

import asyncio
import errno
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiohttp
import click
from aiohttp import hdrs

from battlesnake_search.children.service import Service
from battlesnake_search.common.logs import get_logger

log = get_logger(__name__)

_FIRST_BACKOFF = 0.05
_MAX_BACKOFF = 5.0
_STABLE_AFTER = 10.0
"""Seconds between restarts: the first, the most, and the running time after which the first applies again."""

_FIRST_LOOK = 0.005
_LAST_LOOK = 1.0
_PAUSE_SHARE = 0.02
"""The pause between two checks whether a process listens: this share of its running time, within the limits
above, in seconds."""

_STARTING = 60.0
"""Seconds in which a process that has to answer questions begins to listen."""

_CHECK = 5.0
_MOST_SILENCES = 2
"""Seconds between two questions whether a process answers, and the unanswered ones before its end."""


@asynccontextmanager
async def embedded(
    service: Service,
    on_listening: Callable[[], None] | None = None,
    on_ended: Callable[[bool], None] = lambda _refused: None,
    wait: Callable[[], Awaitable[object]] | None = None,
    answers: Callable[[], Awaitable[bool]] | None = None,
) -> AsyncIterator[str]:
    """Start the service unless it runs, and restart it when it ends; yield its address, a gRPC target.

    The first start comes after `wait`, if it is given.
    `on_listening` is called whenever a process of the service begins to listen. `on_ended` is called whenever
    a process has ended by itself or was not started. Its argument tells whether the service refuses its
    settings: a process ended with the exit status of wrong usage, and no process has listened before.
    `answers` is called every five seconds while a process listens. It returns within a bounded time whether
    the process answers. A process is killed, and so restarted, if it does not answer twice in a row, or does
    not listen within a minute.
    """
    with service:
        keeper = asyncio.create_task(_keep_running(service, on_listening, on_ended, wait, answers))
        try:
            yield service.target
        finally:
            keeper.cancel()
            with suppress(asyncio.CancelledError):
                await keeper


async def _keep_running(
    service: Service,
    on_listening: Callable[[], None] | None,
    on_ended: Callable[[bool], None],
    wait: Callable[[], Awaitable[object]] | None,
    answers: Callable[[], Awaitable[bool]] | None,
) -> None:
    """Restart the service each time it ends, with a growing backoff while it ends early."""
    if wait:
        await wait()
    now = asyncio.get_running_loop().time
    backoff, has_listened = _FIRST_BACKOFF, False

    def listening() -> None:
        nonlocal has_listened
        has_listened = True
        if on_listening:
            on_listening()

    while True:
        began, status = now(), 0
        try:
            status = await _run(service, listening, answers)
            reason = f"exit status {status}"
        except OSError as error:
            reason = f"not started: {error}"
        if now() - began >= _STABLE_AFTER:
            backoff = _FIRST_BACKOFF
        on_ended(status == click.UsageError.exit_code and not has_listened)
        log.error(f"{service.name} ended", reason=reason, restart_in_seconds=backoff)
        await asyncio.sleep(backoff)
        backoff = min(2 * backoff, _MAX_BACKOFF)


async def _run(
    service: Service, on_listening: Callable[[], None], answers: Callable[[], Awaitable[bool]] | None
) -> int:
    """Run the service, unless it runs already, and return its exit status; on cancellation, end it."""
    if service.pid is None:
        service.start()
    log.info(f"{service.name} started", pid=service.pid)
    watching = asyncio.create_task(_watch(service, on_listening, answers))
    try:
        return await asyncio.to_thread(service.wait)
    finally:
        watching.cancel()
        # Run it in a thread, because it may take a second and other answers are due meanwhile.
        await asyncio.to_thread(service.end)


async def _watch(
    service: Service, on_listening: Callable[[], None], answers: Callable[[], Awaitable[bool]] | None
) -> None:
    """Wait until the process listens, and kill it if it hangs before or after that."""
    silences = 0
    try:
        async with asyncio.timeout(_STARTING if answers else None):
            await _look(service.socket, on_listening)
    except TimeoutError:
        silences = _MOST_SILENCES
    # A single question may be late because this process itself was stopped.
    while answers and silences < _MOST_SILENCES:
        if not silences:
            await asyncio.sleep(_CHECK)
        silences = 0 if await answers() else silences + 1
    if answers:
        log.error(f"{service.name} hangs", pid=service.pid)
        service.kill()


async def _look(path: Path, on_listening: Callable[[], None]) -> None:
    """Wait until a process listens on a socket, then call `on_listening`."""
    now = asyncio.get_running_loop().time
    began = now()
    while not _is_listening(path):
        await asyncio.sleep(min(max((now() - began) * _PAUSE_SHARE, _FIRST_LOOK), _LAST_LOOK))
    on_listening()


def _is_listening(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.setblocking(False)
        # A socket with many waiting callers returns an error that means to try again.
        return connection.connect_ex(str(path)) in (0, errno.EAGAIN)


_PATIENCE = aiohttp.ClientTimeout(1.0)


async def read_metrics(socket: Path, accept: str) -> bytes:
    """Return the metrics in the format that a reader accepts; empty if the service does not answer."""
    try:
        async with (
            aiohttp.ClientSession(connector=aiohttp.UnixConnector(str(socket)), timeout=_PATIENCE) as session,
            session.get("http://service/metrics", headers={hdrs.ACCEPT: accept}) as answer,
        ):
            return await answer.read()
    except (aiohttp.ClientError, TimeoutError) as error:
        log.debug("metrics are not read", socket=str(socket), reason=repr(error))
        return b""
