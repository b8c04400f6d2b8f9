"""The command line: python -m console games."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from battlesnake_search.common.cli import echo_document, examples, in_words
from battlesnake_search.common.logs import show_warnings
from battlesnake_search.common.terminal import escaped
from battlesnake_search.common.types import CommandT, OptionValue
from console.film import SIZES, SPEEDS
from console.store import database
from console.store.database import OutcomesDatabase

if TYPE_CHECKING:
    from console.store.records import Header, Position
    from console.store.store import Store
    from console.store.values import GameSnake, Summary

_WIDTH = 80
"""Columns of a table outside a terminal."""

_WIDE = 110
"""The columns from which the table also has the year and the board."""

_RESULT = 12
_LEAST = 8
"""The most columns of a result, and the least columns for the names of a game."""

_GAP = 2
"""The columns between two others."""

_JOINER = "\u200d"
"""The only invisible character that names need: it joins emoji."""


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
    # A damaged game is a warning.
    show_warnings()


_FORMS = {
    "html": "A page with the viewer, in one file that needs no server.",
    "gif": "A film that every chat plays.",
    "mp4": "A film in H.264.",
    "png": "A picture of a turn.",
    "svg": "The same picture as a drawing.",
}
"""The options that choose a form, and their help."""

_TURNS = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)


def _form_options(command: CommandT) -> CommandT:
    """Add the options that choose a form."""
    for name, words in reversed(_FORMS.items()):
        command = click.option(f"--{name}", is_flag=True, help=words)(command)
    return command


def _read_turns(
    _context: click.Context, _option: click.Parameter, value: str | None
) -> tuple[int, int] | None:
    if value is None:
        return None
    if not (found := _TURNS.fullmatch(value)):
        raise click.BadParameter(f"{value!r} is neither a turn like 57 nor turns like 40-120")
    first, last = int(found[1]), int(found[2] or found[1])
    if last < first:
        raise click.BadParameter(f"{value!r} begins after its end: FIRST must be at most LAST, as in 40-120")
    return first, last


@games.command(name="list")
@database.option
@click.option("--limit", type=click.IntRange(1), default=20, help="The most games to list.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, as GET /api/games of the console.")
def list_games(outcomes: OutcomesDatabase, limit: int, as_json: bool) -> None:
    """List the newest games. On a narrow terminal, long names are cut."""
    from console.commands.game_sources import require_database, use_store

    require_database(outcomes, *([] if as_json else ["experiments"]))
    found = use_store(outcomes, partial(_newest, limit=limit))
    if as_json:
        import msgspec

        echo_document(msgspec.json.encode({"games": found}))
    elif found:
        _show(found)
    else:
        click.echo("no games yet")


@games.command(
    epilog=examples(
        "python -m console games export GAME game.jsonl",
        "python -m console games export GAME game.gif --size 320 --turns 40-120",
        "python -m console games export game.jsonl page.html",
        "python -m console games export match.jsonl --number 3.1 - --mp4 > game.mp4",
        "python -m console games export https://arena.battlesnake.com/games/ID turn.png --turns 57",
    )
)
@click.argument("game")
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True, path_type=Path))
@_form_options
@click.option(
    "--turns",
    "turns",
    callback=_read_turns,
    metavar="FIRST-LAST",
    show_default="all; of a picture the last",
    help="The turns to show, or one turn. Each of several pictures gets a file: FILE with its turn.",
)
@click.option(
    "--size",
    type=click.IntRange(*SIZES),
    metavar="PIXELS",
    show_default="320 for a GIF, otherwise 640",
    help="The longer side of the board in a film or picture.",
)
@click.option(
    "--speed", type=click.IntRange(*SPEEDS), default=10, metavar="TURNS", help="Turns a second in a film."
)
@click.option("--search", is_flag=True, help="Show what our searches found, too.")
@click.option("--number", metavar="BLOCK.GAME", help="The game of a match's file, as its report numbers it.")
@database.option
def export(game: str, file: Path, outcomes: OutcomesDatabase, **options: OptionValue) -> None:
    """Write a GAME to a FILE, or to the standard output if FILE is -.

    GAME is the id of a recorded game, a file of the official engine or of a match, or an ADDRESS. Without
    an option for the form, the ending of FILE decides: .html, .gif, .mp4, .png or .svg; other files get the
    JSON lines of the official engine.
    """
    from console.commands.exporting import documents

    forms = [name for name in _FORMS if options[name]]
    if len(forms) > 1:
        names = " and ".join(f"--{name}" for name in forms)
        raise click.UsageError(f"{names} exclude each other: a FILE has one form")
    form = forms[0] if forms else file.suffix.lower().removeprefix(".") if str(file) != "-" else ""
    for path, document in documents(outcomes, game, file, form, options):
        if str(path) == "-":
            echo_document(document, nl=False)
            continue
        try:
            path.write_bytes(document)
        except OSError as error:
            raise click.BadParameter(in_words(error), param_hint="FILE") from None


@games.command(name="import")
@click.argument("sources", metavar="ADDRESS|FILE...", nargs=-1, required=True)
@database.option
def import_games(sources: Sequence[str], outcomes: OutcomesDatabase) -> None:
    """Record the games at ADDRESSes and in FILEs.

    A game that is already recorded gets the turns that it lacks. A running game is read up to its newest
    turn. A file that was cut off is read up to its last whole line. If a source has no game, the games of
    the other sources are recorded, and the status is 1.
    """
    from console.commands.game_sources import require_database

    require_database(outcomes)
    failed = False
    for source in sources:
        try:
            click.echo(f"{source}: {_import(source, outcomes)}")
        except click.ClickException as error:
            click.echo(f"Error: {source}: {error.message}", err=True)
            failed = True
    if failed:
        raise SystemExit(1)


def _import(source: str, outcomes: OutcomesDatabase) -> str:
    """Record the game of a source; return a message about it. Raises ClickException without a game."""
    from console.commands.game_sources import read_address_or_file, use_store
    from console.store.records import RUNNING

    header, positions = read_address_or_file(source)
    kept = use_store(outcomes, partial(_keep, header=header, positions=positions), creates=True)
    note = " so far" if header.source == RUNNING else "" if header.ended_at else ", without an end"
    return f"game {header.id}, {header.turns} turns{note}{kept}"


async def _newest(store: "Store", limit: int) -> "list[Summary]":
    from console.store.assembly import summary_of

    return [summary_of(header) for header in await store.headers(None, limit)]


async def _keep(store: "Store", header: "Header", positions: "list[Position]") -> str:
    """Keep a game; return a message if it was kept already."""
    from console.replay.remote import joined
    from console.replay.servers import RemoteGameError
    from console.store.library import read_kept
    from console.store.records import game_row, record_row

    kept, keys = await read_kept(store, header.id)
    try:
        whole, lacking = joined(kept, keys, header, positions)
    except RemoteGameError as error:
        raise click.ClickException(str(error)) from error
    await store.add([game_row(whole), *(record_row(whole.id, position) for position in lacking)])
    return f", which was kept already; {len(lacking)} of its turns are new" if kept else ""


def _show(found: "Sequence[Summary]") -> None:
    """Print games as a table. Ids are complete, because the other commands need them; names may be cut."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from battlesnake_search.common.cli import table_console

    console = table_console(_WIDTH)
    is_wide = console.width >= _WIDE
    columns = {
        "game": [game.id for game in found],
        "began": [
            f"{game.started_at:{'%Y-' if is_wide else ''}%m-%d %H:%M}" if game.started_at else game.source
            for game in found
        ],
        **({"board": [f"{game.ruleset} {game.width}x{game.height}" for game in found]} if is_wide else {}),
        "turns": [str(game.turns) for game in found],
        "result": [_result(game) for game in found],
        "snakes": [", ".join(_names(game)) for game in found],
    }
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    cells = []
    used = 0
    for heading, texts in columns.items():
        table.add_column(heading, justify="right" if heading == "turns" else "left", no_wrap=True)
        column = [Text(escaped(text)) for text in texts]
        for text in column if heading == "snakes" else ():
            text.truncate(max(_LEAST, console.width - used), overflow="ellipsis")
        used += max(len(heading), *(text.cell_len for text in column), 0) + _GAP
        cells.append(column)
    for row in zip(*cells, strict=True):
        table.add_row(*row)
    console.width = max(console.width, used)
    console.print(table)


def _names(game: "Summary") -> Iterator[str]:
    """Yield the names of a game's snakes, with a mark on ours. Ours come last, because the end may be cut."""
    for snake in sorted(game.snakes, key=lambda each: each.ours):
        yield f"{_name(snake)} (ours)" if snake.ours else _name(snake)


def _name(snake: "GameSnake", most: int = 40) -> str:
    """Return a snake's name for a terminal, cut to a number of columns. It changes no text around it."""
    from unicodedata import bidirectional, category

    from rich.text import Text

    text = snake.name or snake.id
    name = Text("".join(each for each in text if each == _JOINER or category(each) not in ("Cc", "Cf")))
    name.truncate(most, overflow="ellipsis")
    if not any(bidirectional(each) in ("R", "AL") for each in name.plain):
        return name.plain
    return f"\N{FIRST STRONG ISOLATE}{name.plain}\N{POP DIRECTIONAL ISOLATE}"


def _result(game: "Summary") -> str:
    from console.store.records import RUNNING
    from console.store.results import result_of

    if game.result is None:
        return "goes on" if game.source == RUNNING else "no end"
    if len(game.snakes) < 2:
        return "ended"
    if game.result.winner is None:
        return "draw"
    ours = [number for number, snake in enumerate(game.snakes) if snake.ours]
    results = {result_of(game, number) for number in ours}
    if results <= {"none"}:
        return f"{_name(game.snakes[game.result.winner], _RESULT - len(' won'))} won"
    is_late = any(death.late and death.snake in ours for death in game.deaths)
    return "won" if "win" in results else "lost (late)" if is_late else "lost"
