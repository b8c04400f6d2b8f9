"""The command line: python -m gateway."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gateway.experiments.command import experiments
from gateway.outcomes import database
from gateway.outcomes.database import OutcomesDatabase
from gateway.routes.toml import TomlError

# Commands that don't serve would wait longer for the imports of what does than for anything else. So the
# functions import it.
if TYPE_CHECKING:
    from aiohttp import web

_DRAIN_SECONDS = 3.0
"""The seconds that requests in progress get at shutdown.

Together with the second that the embedded searcher may take, the gateway ends within five seconds; outcomes
that wait for a lost database may take five more.
"""


def _strategy(_context: click.Context, _option: click.Parameter, value: str) -> str:
    if not value:
        return value
    from gateway.searchers import translate

    try:
        translate.parse_strategy(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    return value


def _announce(banner: str) -> None:
    """Log the first line of aiohttp's banner, which contains the listening address."""
    _log().info(banner.partition("\n")[0].strip("= "))


def _log() -> Any:
    import structlog

    return structlog.get_logger(__name__)


@click.group(context_settings={"show_default": True}, invoke_without_command=True)
@click.option("--host", default="0.0.0.0", help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    envvar="PORT",
    show_envvar=True,
    help="Port to listen on; 0 is any free port.",
)
@click.option(
    "--searcher",
    default="",
    envvar="SEARCHER_TARGET",
    show_envvar=True,
    metavar="TARGET",
    help="gRPC target of the searchers, for example dns:///searcher:50051, or grpcs://searcher.example.com "
    "for TLS. Without it the gateway starts its own searcher.",
)
@click.option(
    "--strategy",
    callback=_strategy,
    default="",
    metavar="SEARCH/EVALUATOR",
    envvar="STRATEGY",
    show_envvar=True,
    help="Strategy of the snake, for example paranoid/area. Without it the searcher's default is played.",
)
@database.option
@click.option(
    "--routes",
    type=click.Path(path_type=Path),
    envvar="ROUTES_FILE",
    show_envvar=True,
    metavar="FILE",
    help="File with the snakes and their strategies; reloaded on SIGHUP. Without it there is one snake.",
)
@click.option(
    "--log-format",
    type=click.Choice(("console", "json")),
    default=lambda: "console" if sys.stderr.isatty() else "json",
    show_default="console in a terminal, else json",
    envvar="LOG_FORMAT",
    show_envvar=True,
    help="Format of the log on standard error.",
)
@click.pass_context
def main(
    context: click.Context,
    host: str,
    port: int,
    searcher: str,
    strategy: str,
    routes: Path | None,
    outcomes: OutcomesDatabase,
    log_format: str,
) -> None:
    """Serve the Battlesnake API with moves from a searcher.

    On SIGTERM or Ctrl-C, answer the requests in progress and exit.
    """
    if context.invoked_subcommand:
        return
    from gateway import logs

    logs.configure(log_format)
    if not outcomes.url:
        _log().info("outcomes are not recorded", reason=outcomes.reason)
    # This imports gRPC, which reads its log configuration at import.
    from gateway import app

    try:
        application = app.build(searcher, strategy, routes_file=routes, outcomes=outcomes)
    except (OSError, TomlError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise click.BadParameter(f"{routes}: {reason}", param_hint="--routes") from error
    _serve(application, host, port)


def _serve(application: "web.Application", host: str, port: int) -> None:
    """Serve until SIGTERM or Ctrl-C. Raises ClickException if the address is unavailable."""
    from aiohttp import web

    try:
        web.run_app(
            application,
            host=host,
            port=port,
            shutdown_timeout=_DRAIN_SECONDS,
            access_log=None,
            print=_announce,
        )
    except OSError as error:
        raise click.ClickException(f"can't listen on {host}, port {port}: {error}") from error


main.add_command(experiments)

if __name__ == "__main__":
    main(prog_name="python -m gateway")
