"""`python -m arena openings`: makes a book of openings from the games of a match."""

from pathlib import Path

import click

from arena.commands.common import EXISTING_FILE, WHOLE, output_option, working
from battlesnake_search.common.cli import examples, in_words


@click.command(
    epilog=examples(
        "python -m arena openings match.jsonl --turn 40 --output book.jsonl",
    )
)
@click.argument("file", type=EXISTING_FILE)
@click.option("--turn", type=WHOLE, default=40, help="Turns played before the opening.")
@output_option("out", required=True, help="Where to write the book, one /move body per line.")
def openings(file: Path, turn: int, out: Path) -> None:
    """Make a book of openings from the match in FILE.

    The book has one open position from each block of games.
    """
    from arena.games.boards import prepare_replays
    from arena.games.openings import openings_in, write_book
    from arena.records import read_match

    try:
        match = read_match(file)
        prepare_replays(match)
        with working("Playing the games again up to their openings …"):
            count = write_book(out, openings_in(match, turn))
    except (ValueError, OSError) as error:
        raise click.ClickException(in_words(error)) from None
    click.echo(f"{out}: {count} openings from {len(match.blocks)} blocks")
