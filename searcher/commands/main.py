"""The searcher's command line: all commands, as one group."""

import click

from access.command import token_command
from commandline.options import CONTEXT, version_option
from searcher.commands.analyze import analyze
from searcher.commands.bench import bench
from searcher.commands.conformance import conformance
from searcher.commands.serve import serve
from searcher.commands.suite import suite
from searcher.commands.tictactoe import tictactoe
from searcher.commands.try_evaluators import try_evaluators
from searcher.commands.warm import warm


@click.group(context_settings=CONTEXT)
@version_option
def main() -> None:
    """Search Battlesnake positions for the best move."""


for command in (
    serve,
    token_command(has_limits=True),
    warm,
    try_evaluators,
    conformance,
    analyze,
    bench,
    suite,
    tictactoe,
):
    main.add_command(command)
