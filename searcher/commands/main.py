"""The searcher's command line: all commands, as one group."""

import click

from battlesnake_search.common.cli import CONTEXT, token_command
from battlesnake_search.common.config import config_option
from searcher.commands.analyze import analyze
from searcher.commands.bench import bench
from searcher.commands.common import CompilingGroup
from searcher.commands.conformance import conformance
from searcher.commands.serve import serve
from searcher.commands.suite import suite
from searcher.commands.tictactoe import tictactoe
from searcher.commands.try_evaluators import try_evaluators
from searcher.commands.warm import warm


def _print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the version, and whether the search code is prebuilt or compiled here, and exit."""
    if wanted:
        from importlib.metadata import version

        from searcher.engine.jit.code_cache import origin

        click.echo(f"{context.find_root().info_name} {version('battlesnake-search')}, code {origin()}")
        context.exit()


@click.group(cls=CompilingGroup, context_settings=CONTEXT)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
@config_option("searcher")
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
