"""The command line: python -m gateway."""

from pathlib import Path

import click
import structlog
from aiohttp import web

from commandline import logs
from commandline.log_options import log_options
from commandline.options import CONTEXT, version_option
from gateway import log_lines
from gateway.experiments.command import experiments
from gateway.outcomes import database
from gateway.outcomes.database import OutcomesDatabase
from gateway.routes.toml import TomlError
from gateway.searchers import translate

log = structlog.get_logger(__name__)

_DRAIN_SECONDS = 3.0
"""The seconds that requests in progress get at shutdown.

Together with the second that the embedded searcher may take, the gateway ends within five seconds; outcomes
that wait for a lost database may take five more.
"""


def _strategy(_context: click.Context, _option: click.Parameter, value: str) -> str:
    try:
        translate.parse_strategy(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    return value


def _announce(banner: str) -> None:
    """Log the first line of aiohttp's banner, which contains the listening address."""
    log.info(banner.partition("\n")[0].strip("= "))


@click.group(context_settings=CONTEXT, invoke_without_command=True)
@version_option
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
@log_options
@click.pass_context
def main(
    context: click.Context,
    host: str,
    port: int,
    searcher: str,
    strategy: str,
    routes: Path | None,
    outcomes: OutcomesDatabase,
    log_level: str,
    log_format: str,
) -> None:
    """Serve the Battlesnake API with moves from a searcher.

    On SIGTERM or Ctrl-C, answer the requests in progress and exit.
    """
    if context.invoked_subcommand:
        return
    logs.configure(log_format, log_level, log_lines.LAYOUTS)
    if not outcomes.url:
        log.info("outcomes are not recorded", reason=outcomes.reason)
    # This imports gRPC, which reads its log configuration at import.
    from gateway import app

    try:
        application = app.build(searcher, strategy, routes_file=routes, outcomes=outcomes)
    except (OSError, TomlError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise click.BadParameter(f"{routes}: {reason}", param_hint="--routes") from error
    _serve(application, host, port)


def _serve(application: web.Application, host: str, port: int) -> None:
    """Serve until SIGTERM or Ctrl-C. Raises ClickException if the address is unavailable."""
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
