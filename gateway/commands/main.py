"""The gateway's command line: a group of all commands. Without a command, it serves."""

import click

from battlesnake_search.common.cli import (
    CONTEXT,
    SuggestingGroup,
    examples,
    log_options,
    token_command,
    version_option,
)
from battlesnake_search.common.config import config_option
from gateway.commands import options
from gateway.commands.check import check
from gateway.commands.moved import NAMES as MOVED
from gateway.commands.moved import moved
from gateway.commands.play import play
from gateway.settings import Settings


@click.group(
    cls=SuggestingGroup,
    context_settings=CONTEXT,
    invoke_without_command=True,
    epilog=examples(
        "python -m gateway",
        "python -m gateway --searcher dns:///searchers:50051 --strategy paranoid/area",
        "python -m gateway --routes routes.toml check",
    ),
)
@version_option
@config_option("gateway")
@options.serving
@log_options
def main(context: click.Context, settings: Settings, log_level: str, log_format: str) -> None:
    """Serve the Battlesnake API with moves from a searcher.

    On SIGTERM or Ctrl-C, answer the requests in progress and exit.
    """
    if context.invoked_subcommand:
        return
    # Only serving waits for this import.
    from gateway.commands.start import start

    start(settings, log_level, log_format)


for command in (check, play, token_command(has_limits=False), *map(moved, MOVED)):
    main.add_command(command)
