"""`python -m arena report`: turns the file of a match into an HTML page."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.commands.common import EXISTING_FILE, error_rate_options, model_option, output_option
from battlesnake_search.common.cli import examples

if TYPE_CHECKING:
    from arena.statistics.sprt import Model, Sprt

_CHANCE = click.FloatRange(0, 1, min_open=True, max_open=True)


@click.command(
    epilog=examples(
        "python -m arena report match.jsonl --output match.html",
    )
)
@click.argument("file", type=EXISTING_FILE)
@output_option(
    "output", metavar="PAGE.html", show_default="next to FILE, as .html", help="Where to write the page."
)
@click.option(
    "--sprt",
    type=(float, float),
    metavar="ELO0 ELO1",
    show_default="that of the match",
    help="Show the sequential test of whether the first entrant leads by ELO1 rather than ELO0.",
)
@error_rate_options(_CHANCE)
@model_option
def report(
    file: Path,
    output: Path | None,
    sprt: tuple[float, float] | None,
    alpha: float,
    beta: float,
    model: "Model",
) -> None:
    """Turn the match in FILE into an HTML page.

    The page is a single file, with statistics, charts and a viewer of every game.
    """
    from arena.games.boards import prepare_replays
    from arena.records import read_match
    from arena.report.page import page_of

    output = output or file.with_suffix(".html")
    if output.resolve() == file.resolve():
        raise click.BadParameter(f"{output} is the match's own file", param_hint="--output")
    test = _test(sprt, alpha, beta, model) if sprt else None
    try:
        match = read_match(file)
        prepare_replays(match)
        page = page_of(match, test)
        output.write_text(page, encoding="utf-8")
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{output}: {len(page.encode()):,} bytes")


def _test(hypotheses: tuple[float, float], alpha: float, beta: float, model: "Model") -> "Sprt":
    from arena.statistics.sprt import Sprt

    try:
        return Sprt(*hypotheses, alpha, beta, model)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--sprt") from None
