"""The service that `python -m gateway` runs without a command, until a signal ends it."""

import asyncio
import errno
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

import aiohttp
import click
import uvloop
from aiohttp import web

from battlesnake_search.children.service import Service
from battlesnake_search.common import tracing
from battlesnake_search.common.logs import get_logger
from battlesnake_search.common.toml import TomlError
from battlesnake_search.ports.admin_address import LOOPBACK, YIELD_PATH
from battlesnake_search.ports.bounds import with_open_files
from battlesnake_search.ports.checks import refusal_of
from battlesnake_search.ports.connections import BoundedSite
from battlesnake_search.ports.options import NONE
from battlesnake_search.record.extras import MissingExtraError, require_for
from battlesnake_search.record.options import OUTCOMES
from gateway import app
from gateway.metrics import METRICS
from gateway.routes.reload import ROUTES, RoutesInForce
from gateway.settings import NO_CONSOLE, Settings

log = get_logger(__name__)

_UNFINISHED_SECONDS = 0.5
"""The seconds that requests get at shutdown to arrive as a whole."""

_DRAIN_SECONDS = app.LAST_MOVES_SECONDS + 0.5
"""The seconds that requests in progress get at shutdown.

Its own console gets two seconds to store the last events, and then a second to end. The embedded searcher
gets a second, too.
"""

_SWITCH_INTERVAL = 0.0005
"""Seconds after which a thread in Python code lets the event loop run. The default of 5 ms is too long."""

_ROOM_WITHIN = aiohttp.ClientTimeout(2.0)
"""The most seconds for the answer of a console that is asked to leave the port."""

_ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)
"""The signals that end the gateway."""


class _AddressError(click.ClickException):
    """The gateway can't listen on its address. The command line reports it in one line, as a usage error."""

    exit_code = click.UsageError.exit_code


def serve(
    settings: Settings, searcher: Service | None = None, received: Iterable[signal.Signals] = ()
) -> None:
    """Serve until SIGTERM or Ctrl-C.

    `searcher` is an embedded searcher that runs already. The signals in `received` arrived before this call.
    Raises ClickException if the routes file is invalid, the packages for a named database are missing, the
    address is unavailable, or the embedded searcher refuses the strategies.
    """
    sys.setswitchinterval(_SWITCH_INTERVAL)
    if settings.console == NO_CONSOLE:
        log.info("games are not recorded", reason="--console is none")
    settings = _recording(settings)
    if settings.console and not settings.public_metrics:
        # Only its own console shows the metrics of a gateway.
        log.info("metrics are not served", remedy="Give --public-metrics, with --admin-tokens.")
    try:
        application = app.build(settings, searcher)
    except TomlError as error:
        raise click.BadParameter(f"{settings.routes}: {error}", param_hint="--routes") from error
    _serve(application, settings, received)


def _recording(settings: Settings) -> Settings:
    """Return the settings, without a console of the gateway's own if the packages for it are missing.

    Raises BadParameter if an option names a database.
    """
    if settings.console:
        return settings
    database = settings.console_variables.get(OUTCOMES.variable, NONE)
    try:
        require_for(database)
    except MissingExtraError as error:
        if database != NONE:
            raise click.BadParameter(str(error), param_hint="--outcomes") from error
        log.warning("games are not recorded", reason=str(error))
        return replace(settings, console=NO_CONSOLE)
    return settings


def _serve(application: web.Application, settings: Settings, received: Iterable[signal.Signals]) -> None:
    """Serve until SIGTERM or Ctrl-C.

    Raises ClickException if the address is unavailable, or if the embedded searcher refuses the strategies.
    """
    refusals: list[str] = []

    def refuse(reason: str) -> None:
        refusals.append(reason)
        signal.raise_signal(signal.SIGTERM)

    application[ROUTES].on_refusal = refuse
    try:
        with suppress(asyncio.CancelledError), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_run(application, settings, received))
    except OSError as error:
        reason, remedy = refusal_of(settings.host, settings.port, error)
        raise _AddressError(f"{reason}. {remedy}") from error
    if refusals:
        raise click.UsageError(refusals[0])


async def _run(application: web.Application, settings: Settings, received: Iterable[signal.Signals]) -> None:
    """Serve until a signal cancels this. Raises OSError if the address is unavailable."""
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=_DRAIN_SECONDS)
    # The signal handlers start first and end last, so the process cleans up after every signal.
    with _catching_signals(application[ROUTES], received):
        try:
            tracing.configure("battlesnake-gateway")
            await runner.setup()
            bounds, count = with_open_files(settings.bounds), application[METRICS].port.count_ending
            site = BoundedSite(runner, settings.host, settings.port, bounds, count)
            try:
                await site.start()
            except OSError as error:
                if not await _has_made_room(settings.port, error):
                    raise
                site = BoundedSite(runner, settings.host, settings.port, bounds, count)
                await site.start()
            log.info(f"Running on {site.name}")
            application[app.LISTENS].set()
            try:
                await asyncio.Event().wait()
            finally:
                asyncio.get_running_loop().call_later(_UNFINISHED_SECONDS, site.connections.close_unfinished)
        finally:
            await runner.cleanup()
            await asyncio.to_thread(tracing.close)


async def _has_made_room(port: int, error: OSError) -> bool:
    """Return whether the console of another snake has left the port, whose use failed with the error.

    The console of a snake on 8000 is on 8001, so it may be there before a snake that is started on 8001. The
    user of this snake need not know of the other one's console. Only a console whose port nobody chose goes
    to another one. If both shared the port by SO_REUSEPORT, the console would get requests of the engine.
    """
    if error.errno != errno.EADDRINUSE:
        return False
    with suppress(aiohttp.ClientError, TimeoutError):
        async with (
            aiohttp.ClientSession(f"http://{LOOPBACK}:{port}", timeout=_ROOM_WITHIN) as session,
            session.post(YIELD_PATH, json={}) as answer,
        ):
            return answer.status == 200
    return False


@contextmanager
def _catching_signals(routes: RoutesInForce, received: Iterable[signal.Signals]) -> Iterator[None]:
    """Cancel this task on SIGTERM, SIGINT and SIGQUIT, and reload the routes on SIGHUP.

    SIGHUP also ends the gateway if its terminal was closed. The signals in `received` arrived before this
    call.
    """
    loop, running = asyncio.get_running_loop(), asyncio.current_task()
    assert running is not None
    has_terminal = sys.stderr.isatty()

    def end() -> None:
        # A second signal would interrupt the short shutdown and leave the searcher's folder behind.
        for number in _ENDING:
            loop.add_signal_handler(number, lambda: None)
        running.cancel()

    def hang_up() -> None:
        if has_terminal and not sys.stderr.isatty():
            # The last moves are logged, and writing to a closed terminal is an error.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
            end()
        routes.request_reload()

    for number in _ENDING:
        loop.add_signal_handler(number, end)
    loop.add_signal_handler(signal.SIGHUP, hang_up)
    for number in received:
        signal.raise_signal(number)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGHUP)
