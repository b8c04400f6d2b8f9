"""The console's command line: a group of all commands."""

from functools import partial
from importlib import import_module

import click

from battlesnake_search.common.cli import CONTEXT, LazyGroup, token_command, version_option
from battlesnake_search.common.config import config_option

_NAMES = ("blunders", "check", "experiments", "games", "serve", "watch")
"""The commands. Each is a file of this folder."""


def _load(name: str) -> click.Command:
    command: click.Command = getattr(import_module(f"console.commands.{name}"), name)
    return command


@click.group(cls=LazyGroup, loaders={name: partial(_load, name) for name in _NAMES}, context_settings=CONTEXT)
@version_option
@config_option("console")
def main() -> None:
    """Record games, compare the arms of experiments, and show both."""


main.add_command(token_command(has_limits=False))
