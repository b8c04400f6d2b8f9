"""`python -m arena openings`: a book of openings from a match's games. Imports what it needs when it runs."""

from pathlib import Path

import click

_MATCH = click.Path(exists=True, dir_okay=False, path_type=Path)
_BOOK = click.Path(dir_okay=False, path_type=Path)


@click.command(context_settings={"show_default": True})
@click.argument("file", type=_MATCH)
@click.option("--turn", type=click.IntRange(1), default=40, help="Turns that have been played.")
@click.option(
    "--most", type=click.FloatRange(0, 1), default=0.3, help="The largest score that a player may tell of it."
)
@click.option("--out", type=_BOOK, required=True, help="Where the book goes, one /move body a line.")
def openings(file: Path, turn: int, most: float, out: Path) -> None:
    """Makes a book of openings: one open position from each block of the match in FILE."""
    from arena.files import read_match
    from arena.games.openings import openings_in, write_book

    try:
        match = read_match(file)
        count = write_book(out, openings_in(match, turn, most))
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{out}: {count} openings from {len(match.blocks)} blocks")
