"""The documents that `games export` writes: a game in a form, or a picture of each of its turns."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import msgspec

from battlesnake_search.common.cli import counted
from battlesnake_search.common.types import Options
from console.commands.game_sources import load_file, load_recorded, read_address
from console.film.forms import FORMS, Film, FilmError, made
from console.replay import official
from console.store.assembly import whole
from console.store.database import OutcomesDatabase
from console.store.values import Game, Turn

_PICTURES = ("png", "svg")
_BINARY = ("gif", "mp4", "png")


def documents(
    outcomes: OutcomesDatabase, name: str, file: Path, form: str, options: Options
) -> Iterator[tuple[Path, bytes]]:
    """Yield the files to write, with their content. Raises ClickException.

    `form` is one of FORMS; any other form is the JSON lines of the official engine.
    """
    is_output = str(file) == "-"
    if form in _BINARY and is_output and sys.stdout.isatty():
        raise click.ClickException(f"a terminal shows no {form.upper()}: name a FILE")
    first, last = options["turns"] or (None, None)
    film = Film(
        form=form if form in FORMS else "html",
        size=options["size"],
        speed=options["speed"],
        first=first,
        last=last,
        search=options["search"],
    )
    try:
        film.check()
        game = _game(outcomes, name, options["number"])
        turns = _turns(game, film)
        if lacking := _lacking(game):
            click.echo(f"Warning: {name} is not a whole game: {lacking}", err=True)
        if form not in FORMS:
            yield file, b"".join(official.write(msgspec.structs.replace(game, turns=turns)))
        elif form in _PICTURES:
            yield from _pictures(game, turns, film, file, is_output)
        else:
            yield file, made(game, film)
    except FilmError as error:
        raise click.ClickException(str(error)) from None


def _turns(game: Game, film: Film) -> list[Turn]:
    """Return the turns to show. Raises BadParameter if the game lacks them, and FilmError without turns."""
    try:
        return film.turns_of(game)
    except FilmError as error:
        if film.first is None:
            raise
        raise click.BadParameter(str(error), param_hint="'--turns'") from None


def _lacking(game: Game) -> str:
    """Return in words which turns of a game are known, and what is missing; nothing for a whole game."""
    first, last = game.turns[0].turn, game.turns[-1].turn
    between = last - first + 1 - len(game.turns)
    # A match of the arena may begin with a position of any turn.
    is_cut = first > 0 and game.source != "arena"
    missing = [
        *(["the turns before"] if is_cut else []),
        *([f"{counted(between, 'turn')} between"] if between else []),
        *(["the end"] if game.result is None else []),
    ]
    has = f"it has {counted(len(game.turns), 'turn')}, {first} to {last}"
    return f"{has}, and lacks {', '.join(missing)}" if missing else ""


def _pictures(
    game: Game, turns: Sequence[Turn], film: Film, file: Path, is_output: bool
) -> Iterator[tuple[Path, bytes]]:
    wanted = turns[-1:] if film.first is None else turns
    if is_output and len(wanted) > 1:
        raise FilmError(f"{len(wanted)} pictures need a FILE: each gets a name with the number of its turn")
    for turn in wanted:
        path = file if len(wanted) == 1 else file.with_name(f"{file.stem}-{turn.turn}{file.suffix}")
        yield path, made(game, msgspec.structs.replace(film, first=turn.turn, last=turn.turn))


def _game(outcomes: OutcomesDatabase, name: str, number: str | None) -> Game:
    """Return the game of a recorded id, a file or an address. Raises ClickException."""
    if "://" in name:
        return whole(*read_address(name))
    if Path(name).is_file():
        return load_file(Path(name), number)
    if number is not None:
        raise click.ClickException(f"there is no file {name}: --number names a game of a match's file")
    return load_recorded(outcomes, name, ": `python -m console games list` shows games")
