"""The gateway's command line: a group of all commands. Without a command, it serves."""

from functools import partial
from importlib import import_module

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
from gateway.commands.moved import NAMES as MOVED
from gateway.commands.moved import moved
from gateway.settings import Settings

_NAMES = ("check", "play")
"""The commands that are a file of this folder each."""


def _load(name: str) -> click.Command:
    command: click.Command = getattr(import_module(f"gateway.commands.{name}"), name)
    return command


@click.group(
    cls=LazyGroup,
    loaders={name: partial(_load, name) for name in _NAMES} | {name: partial(moved, name) for name in MOVED},
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
