"""The command line: python -m console serve."""

import asyncio
from pathlib import Path
from typing import Any

import click

from battlesnake_search.common import logs
from battlesnake_search.common.cli import examples, log_options, with_options
from battlesnake_search.options import CREDENTIALS, read_credentials, searcher_options
from battlesnake_search.serving.address import ListenError
from battlesnake_search.serving.options import port_options, port_settings
from console.commands import options
from console.settings import CONSOLE


@click.command(
    epilog=examples(
        "python -m console serve",
        "python -m console serve --listen unix:/run/console.sock --outcomes none",
    )
)
@with_options(
    options.LISTEN,
    *options.RECORDING,
    *options.SERVING,
    searcher_options(
        "gRPC target of the searchers for analyses and reviews. Without it, the searchers of the gateways."
    ),
    port_options(CONSOLE, "With --tokens, open reflection to all callers."),
    log_options,
)
def serve(listen: str, searcher: str, log_level: str, log_format: str, **values: Any) -> None:
    """Record the games of gateways, and serve the pages about them, until SIGTERM or Ctrl-C."""
    settings = options.settings(values)
    credentials: dict[str, Path | None] = {field: values.pop(field) for field in CREDENTIALS}
    logs.configure(log_format, log_level)
    from battlesnake_search.serving.port import SettingsError
    from console.app import serve as run

    # A gateway's own console calls the targets of the gateway's routes, too.
    shown = read_credentials(credentials, None if settings.folder else searcher)
    port = port_settings(**values)
    try:
        asyncio.run(run(listen, settings, searcher, shown, port))
    except (ListenError, SettingsError) as error:
        raise click.UsageError(str(error)) from error
