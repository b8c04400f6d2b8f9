"""The command line: python -m gateway."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import click
import structlog
from aiohttp import web

from commandline import logs
from commandline.log_options import log_options
from commandline.options import CONTEXT, version_option
from gateway import log_lines, options
from gateway.check.command import check
from gateway.experiments.command import experiments
from gateway.options import Settings
from gateway.routes.toml import TomlError

if TYPE_CHECKING:
    from gateway.routes.reload import RoutesInForce

log = structlog.get_logger(__name__)

_DRAIN_SECONDS = 3.0
"""The seconds that requests in progress get at shutdown.

Together with the second that the embedded searcher may take, the gateway ends within five seconds; outcomes
that wait for a lost database may take five more.
"""

_ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)
"""The signals that end the gateway."""


def _announce(banner: str) -> None:
    """Log the first line of aiohttp's banner, which contains the listening address."""
    log.info(banner.partition("\n")[0].strip("= "))


@click.group(context_settings=CONTEXT, invoke_without_command=True)
@version_option
@options.serving
@log_options
def main(context: click.Context, settings: Settings, log_level: str, log_format: str) -> None:
    """Serve the Battlesnake API with moves from a searcher.

    On SIGTERM or Ctrl-C, answer the requests in progress and exit.
    """
    if context.invoked_subcommand:
        return
    logs.configure(log_format, log_level, log_lines.LAYOUTS)
    if not settings.outcomes.url:
        log.info("outcomes are not recorded", reason=settings.outcomes.reason)
    # This imports gRPC, which reads its log configuration at import.
    from gateway import app
    from gateway.routes.reload import ROUTES

    try:
        application = app.build(
            settings.searcher,
            settings.strategy,
            routes_file=settings.routes,
            outcomes=settings.outcomes,
            looks=settings.looks,
        )
    except (OSError, TomlError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise click.BadParameter(f"{settings.routes}: {reason}", param_hint="--routes") from error
    _serve(application, application[ROUTES], settings)


def _serve(application: web.Application, routes: "RoutesInForce", settings: Settings) -> None:
    """Serve until SIGTERM or Ctrl-C.

    Raises ClickException if the address is unavailable, or if the embedded searcher refuses the strategies.
    """
    refusals: list[str] = []

    def refuse(reason: str) -> None:
        refusals.append(reason)
        signal.raise_signal(signal.SIGTERM)

    routes.on_refusal = refuse
    # What starts first ends last, so that a signal never ends the process before it has cleaned up.
    application.cleanup_ctx.insert(0, lambda _: _catching_signals(routes))
    try:
        web.run_app(
            application,
            host=settings.host,
            port=settings.port,
            shutdown_timeout=_DRAIN_SECONDS,
            access_log=None,
            print=_announce,
        )
    except OSError as error:
        address = f"{settings.host}, port {settings.port}"
        raise click.ClickException(f"can't listen on {address}: {error}") from error
    if refusals:
        raise click.UsageError(refusals[0])


async def _catching_signals(routes: "RoutesInForce") -> AsyncIterator[None]:
    """End in order on SIGTERM, SIGINT and SIGQUIT, and reload the routes on SIGHUP.

    SIGHUP also ends the gateway if it comes from a terminal that was closed.
    """
    loop = asyncio.get_running_loop()
    has_terminal = sys.stderr.isatty()

    def end() -> None:
        # A second signal would interrupt the end, which is short, and leave the searcher's folder behind.
        for number in _ENDING:
            loop.add_signal_handler(number, lambda: None)
        raise web.GracefulExit

    def hang_up() -> None:
        if has_terminal and not sys.stderr.isatty():
            # Writing to a closed terminal is an error, and the last moves are logged.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
            end()
        routes.request_reload()

    for number in _ENDING:
        loop.add_signal_handler(number, end)
    loop.add_signal_handler(signal.SIGHUP, hang_up)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGHUP)


main.add_command(check)
main.add_command(experiments)

if __name__ == "__main__":
    main(prog_name="python -m gateway")
