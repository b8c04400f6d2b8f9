"""`python -m arena report`: a match's file as a page. Imports what it needs when it runs."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from arena.statistics.sprt import Model, Sprt

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_CHANCE = click.FloatRange(0, 1, min_open=True, max_open=True)


@click.command(context_settings={"show_default": True})
@click.argument("file", type=_FILE)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.html",
    help="Where to write.  [default: beside FILE, as .html]",
)
@click.option(
    "--sprt",
    type=(float, float),
    metavar="ELO0 ELO1",
    help="Show this sequential test.  [default: the match's own]",
)
@click.option(
    "--alpha", type=_CHANCE, default=0.05, help="The test's chance to accept ELO1 although ELO0 is true."
)
@click.option(
    "--beta", type=_CHANCE, default=0.05, help="The test's chance to reject ELO1 although it is true."
)
@click.option("--model", type=click.Choice(["logistic", "normalized"]), default="logistic", help="Which Elo.")
def report(
    file: Path,
    output: Path | None,
    sprt: tuple[float, float] | None,
    alpha: float,
    beta: float,
    model: "Model",
) -> None:
    """Writes a match's FILE as one HTML page with statistics, charts and a viewer of every game."""
    from arena.files import read_match
    from arena.report.page import page_of

    output = output or file.with_suffix(".html")
    if output.resolve() == file.resolve():
        raise click.BadParameter(f"{output} is the match's own file", param_hint="--output")
    test = _test(sprt, alpha, beta, model) if sprt else None
    try:
        page = page_of(read_match(file), test)
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
