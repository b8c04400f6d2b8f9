"""The console's command line: a group of all commands."""

import click

from battlesnake_search.common.cli import CONTEXT, SuggestingGroup, token_command, version_option
from battlesnake_search.common.config import config_option
from console.commands.blunders import blunders
from console.commands.check import check
from console.commands.experiments import experiments
from console.commands.games import games
from console.commands.serve import serve
from console.commands.watch import watch


@click.group(cls=SuggestingGroup, context_settings=CONTEXT)
@version_option
@config_option("console")
def main() -> None:
    """Record games, compare the arms of experiments, and show both."""


for command in (blunders, check, experiments, games, serve, token_command(has_limits=False), watch):
    main.add_command(command)
