"""The command line: python -m gateway play."""

from dataclasses import replace

import click

from battlesnake_search.common.cli import examples, log_options
from gateway.commands import options
from gateway.settings import Settings


@click.command(
    epilog=examples(
        "python -m gateway play",
        "python -m gateway play --name Hydra --color 2f6f4e --strategy paranoid/area",
    )
)
@options.serving
@log_options
@click.option(
    "--browser/--no-browser", default=True, help="Open the console in a browser as soon as it is there."
)
def play(context: click.Context, settings: Settings, log_level: str, log_format: str, browser: bool) -> None:
    """Serve a snake, and show its games in a browser: a gateway with a searcher of its own.

    On SIGTERM or Ctrl-C, answer the requests in progress and exit.
    """
    from gateway.commands.start import start

    if browser:
        variables = {**settings.console_variables, "CONSOLE_BROWSER": "1"}
        settings = replace(settings, console_variables=variables)
    start(settings, log_level, log_format)
