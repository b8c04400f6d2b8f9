"""The command line: python -m gateway check."""

import signal
import sys

import click

from battlesnake_search.common.cli import examples
from battlesnake_search.common.logs import silence
from gateway.commands import options
from gateway.settings import Settings


@click.command(
    epilog=examples(
        "python -m gateway check",
        "python -m gateway check --routes routes.toml --json",
    )
)
@options.serving
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check(_context: click.Context, settings: Settings, as_json: bool) -> None:
    """Check whether a gateway with these options would work.

    Prints a line for its port, its console, the routes, each searcher and each arm. A console of its own
    adds the lines for its pages and its database. The exit status is 1 if any of them would fail.
    """
    # The command prints results and no log.
    silence()
    # Other commands start a searcher before these imports.
    import asyncio

    from battlesnake_search.ports.checks import reported
    from gateway.commands.checks import check

    async def run() -> bool:
        running = asyncio.current_task()
        assert running is not None
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            # Cancelling lets the embedded searcher's folder be removed.
            asyncio.get_running_loop().add_signal_handler(number, running.cancel)
        return await reported(check(settings), as_json)

    try:
        passed = asyncio.run(run())
    except asyncio.CancelledError:
        raise click.Abort from None
    sys.exit(0 if passed else 1)
