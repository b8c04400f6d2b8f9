"""`python -m arena policy`: fits the model of likely moves to games."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.commands.common import EXISTING_FOLDER, WholeNumber, working
from battlesnake_search.common.cli import examples, in_words

if TYPE_CHECKING:
    from arena.learning.policy import Policy


@click.command(
    epilog=examples(
        "python -m arena policy fours",
    )
)
@click.argument("data", nargs=-1, required=True, type=EXISTING_FOLDER)
@click.option("--player", "players", multiple=True, metavar="NAME", help="Only its moves; repeatable.")
@click.option(
    "--living", type=WholeNumber(1, 8), default=3, help="Only moves made while at least N snakes lived."
)
def policy(data: tuple[Path, ...], players: tuple[str, ...], living: int) -> None:
    """Fit the model by which the search `crowd` foresees moves.

    DATA are folders that `python -m arena games` has filled. Under the fitted points, the opponents' moves in
    DATA are most probable. The command prints these points and the present points of the search. For both it
    prints the share of moves that they foresee.
    """
    # All imports come first: a missing package is reported before the fit.
    from arena.data.files import BadDataError, read_columns
    from arena.learning.policy import choices_of, fit_policy

    try:
        with working("Reading the games …"):
            columns = read_columns(*data)
        names = columns.snakes.player.names
        if unknown := [name for name in players if name not in names]:
            raise BadDataError(
                f"--player {unknown[0]} is not in {columns.source}; valid: {', '.join(sorted(names))}"
            )
        choices = choices_of(columns, players, living)
        if not len(choices):
            raise BadDataError(
                f"{columns.source}: no snake chose one of several moves while {living} or more lived"
            )
        with working("Fitting the model of likely moves …"):
            found = fit_policy(choices)
        _print(found)
    except (BadDataError, OSError) as error:
        raise click.ClickException(in_words(error)) from None


def _print(found: "Policy") -> None:
    from rich import box
    from rich.table import Table

    from arena.learning.policy import HABITS
    from arena.learning.samples import QUANTILE
    from battlesnake_search.common.cli import table_console
    from searcher.engine.features.likely import POINTS

    table = Table("habit", box=box.SIMPLE_HEAD)
    for heading in ("points", "log-odds", "interval"):
        table.add_column(heading, justify="right")
    for name, points, fitted, error in zip(HABITS, POINTS, found.points, found.errors, strict=True):
        low, high = fitted - QUANTILE * error, fitted + QUANTILE * error
        table.add_row(name, str(points), f"{fitted:+.2f}", f"{low:+.2f} to {high:+.2f}")
    console = table_console(100, highlight=False)
    console.print(table)
    unseen = "too few games for" if found.accuracy is None else f"{found.accuracy:.1%} by"
    console.print(
        f"{found.choices:,} choices in {found.games:,} games. Foreseen: {found.former_accuracy:.1%} by the "
        f"points of the search, {unseen} the fit in games that it has not seen, {found.chance:.1%} by chance."
    )
