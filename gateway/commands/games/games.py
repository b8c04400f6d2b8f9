"""The command line: python -m gateway games."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gateway.commands.games.store_access import require_database, use_store
from gateway.store import database
from gateway.store.database import OutcomesDatabase

if TYPE_CHECKING:
    from gateway.replay.values import Summary
    from gateway.store.store import Store

_WIDTH = 160
"""Columns of a table that is not printed on a terminal."""


@click.group()
def games() -> None:
    """List recorded games, and exchange them with the official engine.

    A FILE has JSON lines, as `battlesnake play -o FILE` writes them.
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
    """Write a GAME, named by its id, to a FILE, or to the terminal if that is -."""
    require_database(outcomes)
    lines = use_store(outcomes, partial(_lines, game=game))
    with click.open_file(str(file), "wb") as output:
        output.writelines(lines)


@games.command(name="import")
@click.argument(
    "files",
    metavar="FILE...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@database.option
def import_games(files: Sequence[Path], outcomes: OutcomesDatabase) -> None:
    """Keep the games of FILEs. A game that is kept already gets the turns that it lacks."""
    require_database(outcomes)
    for file in files:
        click.echo(use_store(outcomes, partial(_import, file=file), creates=True))


async def _newest(store: "Store", limit: int) -> "list[Summary]":
    from gateway.replay.assembly import summary_of

    return [summary_of(header, is_live=False) for header in await store.headers(None, limit)]


async def _lines(store: "Store", game: str) -> list[bytes]:
    from gateway.commands.games.game_sources import whole_of
    from gateway.replay import official

    header = await store.header(game)
    if header is None:
        raise click.ClickException(f"there is no game {game}: `python -m gateway games list` shows them")
    return list(official.write(await whole_of(store, header)))


async def _import(store: "Store", file: Path) -> str:
    from gateway.commands.games.game_sources import read_file
    from gateway.store.records import game_row, record_row

    header, positions = read_file(file)
    is_kept = await store.header(header.id) is not None
    rows = [record_row(header.id, position) for position in positions]
    await store.add_rows(rows if is_kept else [game_row(header), *rows])
    note = ", which was kept already" if is_kept else ""
    return f"{file}: game {header.id}, {header.turns} turns{note}"


def _show(found: "Sequence[Summary]") -> None:
    """Print games as a table."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from commandline.tables import table_console

    table = Table(box=box.SIMPLE_HEAD)
    for column in ("game", "began", "board", "turns", "result", "snakes"):
        table.add_column(column, justify="right" if column == "turns" else "left", no_wrap=column == "game")
    for game in found:
        table.add_row(*map(Text, _cells(game)))
    table_console(_WIDTH).print(table)


def _cells(game: "Summary") -> tuple[str, ...]:
    names = [snake.name or snake.id for snake in game.snakes]
    result = "ended" if game.result else "no end"
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
