"""`python -m arena pool`: lists the opponents of the pool, and serves them at URLs."""

import asyncio

import click

from arena.commands.common import LazyChoice
from battlesnake_search.common.cli import examples


def _names() -> tuple[str, ...]:
    # Only commands that need the names wait for this import.
    from arena.games.entrants import pool_names

    return pool_names()


@click.group(invoke_without_command=True)
@click.pass_context
def pool(context: click.Context) -> None:
    """List the pool: opponents with different tempers.

    Each name is an entrant of a match. A search has the limits of the match, or limits that follow its name:
    feeder,nodes=5000. Opponents that look one turn ahead have no limits. `serve` makes opponents Battlesnakes
    at URLs.
    """
    if context.invoked_subcommand:
        return
    from rich.table import Table

    from arena.games.entrants import one_turn_opponents
    from arena.pool._searches import SEARCHING_OPPONENTS
    from battlesnake_search.common.console import Console

    table = Table("opponent", "player", "description")
    for name, opponent in one_turn_opponents().items():
        table.add_row(name, "one turn ahead", opponent.description)
    for name, search in SEARCHING_OPPONENTS.items():
        table.add_row(name, search.text.replace(",", "\n"), search.description)
    Console(markup=False, highlight=False).print(table)


@pool.command(
    epilog=examples("python -m arena pool serve greedy", "python -m arena pool serve --all --port 9000")
)
@click.argument("names", type=LazyChoice(_names), nargs=-1, metavar="[NAME]...")
@click.option("--all", "serves_all", is_flag=True, help="Serve the whole pool.")
@click.option("--host", default="127.0.0.1", help="Address to listen on; 0.0.0.0 is reached from everywhere.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, help="Port; 0 is any free port.")
def serve(names: tuple[str, ...], serves_all: bool, host: str, port: int) -> None:
    """Serve opponents as Battlesnakes at URLs, until Ctrl-C, and print the URLs.

    A single opponent is at the port itself, and several at paths with their names. A search takes 60% of the
    game's timeout. Code that is missing is compiled first.
    """
    if serves_all == bool(names):
        raise click.UsageError(f"Give either names or --all. Valid names: {', '.join(_names())}.")
    from arena import serving

    chosen = _names() if serves_all else tuple(dict.fromkeys(names))
    serving.prepare(chosen)
    try:
        asyncio.run(serving.serve(chosen, host, port))
    except ValueError as error:
        raise click.ClickException(str(error)) from None
