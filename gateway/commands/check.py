"""The command line: python -m gateway check."""

import asyncio
import json
import signal
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from battlesnake_search.common.cli import examples
from battlesnake_search.common.logs import quiet_grpc, silence
from gateway.commands import options
from gateway.settings import Settings

if TYPE_CHECKING:
    from gateway.commands.checks import CheckResult


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

    Prints a line for its port, its database, its routes, each searcher and each arm. The exit status is 1 if
    any of them would fail.
    """
    # The results replace the logs of gRPC and of the gateway.
    quiet_grpc()
    silence()
    try:
        results = asyncio.run(_run(settings, is_shown=not as_json))
    except asyncio.CancelledError:
        raise click.Abort from None
    failed = sum(not result.passed for result in results)
    if as_json:
        checks = [asdict(result) | {"passed": result.passed} for result in results]
        click.echo(json.dumps({"passed": not failed, "checks": checks}, indent=2))
    else:
        click.echo(f"{failed} of {len(results)} checks failed" if failed else "everything would work")
    sys.exit(1 if failed else 0)


async def _run(settings: Settings, is_shown: bool) -> "list[CheckResult]":
    """Return all results. If `is_shown`, print each result as soon as it is known."""
    from gateway.commands.checks import check

    running = asyncio.current_task()
    assert running is not None
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        # Cancelling lets the embedded searcher's folder be removed.
        asyncio.get_running_loop().add_signal_handler(number, running.cancel)
    results = []
    async for result in check(settings):
        results.append(result)
        if is_shown:
            click.echo(str(result))
    return results
