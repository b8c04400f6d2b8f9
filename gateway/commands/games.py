"""The command line: python -m gateway games."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from battlesnake_search.common.cli import in_words
from gateway.commands.game_sources import require_database, use_store
from gateway.store import database
from gateway.store.database import OutcomesDatabase

if TYPE_CHECKING:
    from gateway.replay.values import Summary
    from gateway.store.records import Header, Position
    from gateway.store.store import Store

_WIDTH = 160
"""Columns of a table outside a terminal."""


class _Source(click.ParamType[str | Path]):
    """An address of a game, or a file that exists."""

    name = "source"

    def convert(self, value: str, param: click.Parameter | None, context: click.Context | None) -> str | Path:
        """Return an address as text, and a file as a path."""
        if "://" in value:
            return value
        kind = click.Path(exists=True, dir_okay=False, path_type=Path)
        return Path(kind.convert(value, param, context))


class _ListsByDefault(click.Group):
    """A group whose command `list` may be left out."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Insert `list` before options, and where there is nothing."""
        is_help = set(args[:1]) & set(self.get_help_option_names(context))
        if not context.resilient_parsing and not is_help and (not args or args[0].startswith("-")):
            args = ["list", *args]
        return super().parse_args(context, args)


@click.group(cls=_ListsByDefault)
def games() -> None:
    """List recorded games, and exchange them with the official engine and with servers.

    Without a command, list the newest games.

    A FILE has JSON lines, as `battlesnake play -o FILE` writes them. An ADDRESS is the URL of a game on a
    server, https://SERVER/games/ID.
    """


@games.command(name="list")
@database.option
@click.option("--limit", type=click.IntRange(1), default=20, help="The most games to list.")
def list_games(outcomes: OutcomesDatabase, limit: int) -> None:
    """List the newest games."""
    require_database(outcomes, "experiments")
    _show(use_store(outcomes, partial(_newest, limit=limit)))


@games.command()
@click.argument("game")
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True, path_type=Path))
@database.option
def export(game: str, file: Path, outcomes: OutcomesDatabase) -> None:
    """Write a GAME, named by its id, to a FILE, or to the terminal if FILE is -."""
    require_database(outcomes)
    lines = use_store(outcomes, partial(_lines, game=game))
    try:
        with click.open_file(str(file), "wb") as output:
            output.writelines(lines)
    except OSError as error:
        raise click.BadParameter(in_words(error), param_hint="FILE") from None


@games.command(name="import")
@click.argument("sources", metavar="ADDRESS|FILE...", nargs=-1, required=True, type=_Source())
@database.option
def import_games(sources: Sequence[str | Path], outcomes: OutcomesDatabase) -> None:
    """Record the games at ADDRESSes and in FILEs.

    A game that is already recorded gets the turns that it lacks. A running game is read up to its newest
    turn.
    """
    from gateway.commands.game_sources import read_address_or_file

    require_database(outcomes)
    for source in sources:
        header, positions = read_address_or_file(source)
        kept = use_store(outcomes, partial(_keep, header=header, positions=positions), creates=True)
        click.echo(f"{source}: game {header.id}, {header.turns} turns{kept}")


async def _newest(store: "Store", limit: int) -> "list[Summary]":
    from gateway.replay.assembly import summary_of

    return [summary_of(header, is_live=False) for header in await store.headers(None, limit)]


async def _lines(store: "Store", game: str) -> list[bytes]:
    from gateway.commands.game_sources import whole_of
    from gateway.replay import official

    header = await store.header(game)
    if header is None:
        raise click.ClickException(f"there is no game {game}: `python -m gateway games list` shows them")
    return list(official.write(await whole_of(store, header)))


async def _keep(store: "Store", header: "Header", positions: "list[Position]") -> str:
    """Keep a game; return a message about it."""
    from gateway.replay.remote import joined
    from gateway.replay.servers import RemoteGameError
    from gateway.store.records import RUNNING, game_row, key_of, record_row, unpack

    kept = await store.header(header.id)
    keys = {key_of(unpack(record)) for record in await store.records(header.id)} if kept else set()
    try:
        whole, lacking = joined(kept, keys, header, positions)
    except RemoteGameError as error:
        raise click.ClickException(str(error)) from error
    await store.add_rows([game_row(whole), *(record_row(whole.id, position) for position in lacking)])
    note = " so far" if header.source == RUNNING else ""
    return f"{note}, which was kept already; {len(lacking)} of its turns are new" if kept else note


def _show(found: "Sequence[Summary]") -> None:
    """Print games as a table."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from battlesnake_search.common.cli import table_console

    table = Table(box=box.SIMPLE_HEAD)
    for column in ("game", "began", "board", "turns", "result", "snakes"):
        table.add_column(column, justify="right" if column == "turns" else "left", no_wrap=column == "game")
    for game in found:
        table.add_row(*map(Text, _cells(game)))
    table_console(_WIDTH).print(table)


def _cells(game: "Summary") -> tuple[str, ...]:
    from gateway.store.records import RUNNING

    names = [snake.name or snake.id for snake in game.snakes]
    result = "ended" if game.result else "no end"
    if game.source == RUNNING:
        result = "goes on"
    if game.result and len(names) > 1:
        result = "draw" if game.result.winner is None else f"{names[game.result.winner]} won"
    return (
        game.id,
        f"{game.started_at:%Y-%m-%d %H:%M}" if game.started_at else game.source,
        f"{game.ruleset} {game.width}x{game.height}",
        str(game.turns),
        result,
        ", ".join(
            f"{name} (ours)" if snake.ours else name for name, snake in zip(names, game.snakes, strict=True)
        ),
    )
