"""The gateway's command line: a group of all commands. Without a command, it serves."""

from functools import partial
from importlib import import_module
from types import MappingProxyType

import click

from battlesnake_search.common.cli import (
    CONTEXT,
    LazyGroup,
    examples,
    log_options,
    token_command,
    version_option,
)
from battlesnake_search.common.config import config_option
from gateway.commands import options
from gateway.settings import Settings

_MODULES = MappingProxyType(
    {
        "blunders": "console.commands.blunders",
        "check": "gateway.commands.check",
        "experiments": "console.commands.experiments",
        "games": "console.commands.games",
        "play": "gateway.commands.play",
        "watch": "console.commands.watch",
    }
)
"""The modules of commands, each with the name of its command."""


def _load(name: str) -> click.Command:
    command: click.Command = getattr(import_module(_MODULES[name]), name)
    return command


@click.group(
    cls=LazyGroup,
    loaders={name: partial(_load, name) for name in _MODULES},
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


main.add_command(token_command(has_limits=False))
