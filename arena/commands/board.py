"""`python -m arena board`: the ratings of a strategy's versions over time."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.commands.common import EXISTING_FOLDER, print_parts, working
from battlesnake_search.common.cli import examples, in_words

if TYPE_CHECKING:
    from datetime import datetime

    from rich.table import Table

    from arena.version_ratings import Board, Line


@click.command(
    epilog=examples(
        "python -m arena board matches",
        "python -m arena board matches --note 3f2a9c1b 'twice the weight of hunger'",
    )
)
@click.argument("folder", type=EXISTING_FOLDER)
@click.option(
    "--note",
    type=(str, str),
    metavar="DIGEST TEXT",
    help="First write this note about the version whose digest begins with DIGEST.",
)
def board(folder: Path, note: tuple[str, str] | None) -> None:
    """Rate all versions that played in the matches of FOLDER.

    FOLDER has the files that `match` and `gauntlet` wrote with --output. A version is a strategy with its
    weights and its code, and its limits for a move. A change of code or weights makes another version.

    For each strategy with several versions, the command tells whether the newest version is better than the
    version before it.
    """
    from arena.version_ratings import Board, write_note

    try:
        with working("Reading the matches …"):
            read = Board(folder)
        if note is not None:
            write_note(folder, _digest(read, note[0]), note[1])
            read = Board(folder)
    except (ValueError, OSError) as error:
        raise click.ClickException(in_words(error)) from None
    if not read.lines():
        raise click.ClickException(f"{folder} has no match: write one with `python -m arena match --output`")
    print_parts(_table(read.lines()), *_comparisons(read))


def _digest(read: "Board", start: str) -> str:
    """Return the only digest with this beginning."""
    found = read.digests(start)
    if len(found) != 1:
        known = ", ".join(found or read.digests("")) or "none"
        raise ValueError(f"--note: {len(found)} versions begin with {start!r}; valid: {known}")
    return found[0]


def _comparisons(read: "Board") -> list[str]:
    sentences = [read.comparison(newest, former) for newest, former in read.newest_and_former()]
    return ["", *sentences] if sentences else []


def _table(lines: "list[Line]") -> "Table":
    from arena.commands.tables import table_of

    columns = {
        "version": [str(line.version) for line in lines],
        "limits": [line.version.limits for line in lines],
        "first": [_day(line.first) for line in lines],
        "last": [_day(line.last) for line in lines],
        "games": [f"{line.games:,}" if line.games else "" for line in lines],
        "points": [f"{line.points / line.games:.3f}" if line.games else "" for line in lines],
        "rating": [line.rating_text if line.games else "" for line in lines],
        "note": [line.note for line in lines],
    }
    shown = {heading: cells for heading, cells in columns.items() if any(cells)}
    rows = list(zip(*shown.values(), strict=True))
    return table_of(list(shown), rows, right=("games", "points", "rating"))


def _day(time: "datetime | None") -> str:
    return f"{time:%Y-%m-%d}" if time else ""
