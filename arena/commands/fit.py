"""`python -m arena fit`: fits an evaluator's weights to games."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.commands.common import EXISTING_FOLDER, output_option, print_parts, working
from battlesnake_search.common import completion
from battlesnake_search.common.cli import examples, in_words

if TYPE_CHECKING:
    from collections.abc import Mapping


@click.command(
    epilog=examples(
        "python -m arena fit fitted duels fours --output fitted.toml",
    )
)
@click.argument("evaluator", shell_complete=completion.evaluators)
@click.argument("data", nargs=-1, required=True, type=EXISTING_FOLDER)
@output_option("out", required=True, help="Where to write the weights, as TOML.")
@click.option(
    "--lambda",
    "decay",
    type=click.FloatRange(0.0, 1.0),
    metavar="P",
    default=1.0,
    help="Forecast the scores of the next searches, each counting P times as much as the score before, "
    "and the outcome for the rest. With 1 only the outcome counts, with 0 only the next turn.",
)
@click.option(
    "--deviation",
    type=click.FloatRange(0.0, min_open=True),
    metavar="X",
    default=0.2,
    help="Likely distance of a weight from its start, as a share of its range. Few games move a weight less "
    "than that, and many games can move it further.",
)
def fit(
    evaluator: str,
    data: tuple[Path, ...],
    out: Path,
    decay: float,
    deviation: float,
) -> None:
    """Fit the weights of EVALUATOR to the outcomes of games.

    DATA are folders that `python -m arena games` has filled. Texel's method finds the weights with which the
    evaluator forecasts winners best. Games that the fit has not seen show its worth. The written file is for
    `match` (weights=FILE), for routes (weights_file) and for `python -m searcher analyze --weights`.
    """
    # All imports come first: a missing package is reported before the fit.
    from arena.data.files import read_columns
    from arena.games.entrants import write_weights
    from arena.learning.evaluator_fit import fit_evaluator
    from arena.learning.report import fit_summary
    from searcher.strategies import evaluators
    from searcher.tools.weights import WeightsFile

    try:
        if not out.parent.is_dir():
            raise ValueError(f"--output: there is no folder {out.parent}")
        weights = _weights(evaluator)
        with working(f"Fitting the weights of {evaluator} …"):
            columns = read_columns(*data)
            found = fit_evaluator(columns, evaluators()[evaluator], weights, decay, deviation)
        write_weights(out, WeightsFile(evaluator, found.by_name))
        print_parts(*fit_summary(found))
        click.echo(f"Written to {out}.")
    except (ValueError, OSError) as error:
        raise click.ClickException(in_words(error)) from None


def _weights(evaluator: str) -> "Mapping[str, float]":
    """Return the default weights, with which a fit begins. Raises ValueError, naming the valid evaluators."""
    from searcher.strategies import parse_strategy

    strategy = parse_strategy(f"paranoid/{evaluator}")
    if not strategy.weights:
        raise ValueError(f"{evaluator} has no weights")
    return strategy.weights
