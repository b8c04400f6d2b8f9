"""`python -m arena fit`: fits an evaluator's weights to games."""

import math
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.commands.common import EXISTING_FOLDER, output_option, print_parts, working
from battlesnake_search.common import completion
from battlesnake_search.common.cli import examples, in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rich.console import RenderableType

    from arena.learning.evaluator_fit import Fit, FittedWeight, Validation

_NATS = 1000.0
"""Losses are shown in thousandths of a nat."""

_TERMS = {
    "loss": "the negative logarithm of the chance that was forecast for the outcome: the mean over all "
    "snakes of all positions, in thousandths of a nat; 693 for even chances in a duel",
    "worth": "the growth of the loss if the weight is 0 instead",
    "interval": "95 %, clustered by game, because all positions of a game end alike; empty for a weight at "
    "its bound, or without an effect in this data",
    "unseen": "the games are split in five, and a fit to the other four forecasts each part",
}


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


def fit_summary(fit: "Fit") -> "Iterator[RenderableType]":
    """Yield the parts of the summary of a fit."""
    from rich.text import Text

    from arena.commands.tables import table_of
    from arena.statistics.terms import term_lines

    columns = ("weight", "former", "fitted", "interval", "worth")
    rows = [
        (
            weight.declared.name,
            f"{weight.former:.3g}",
            f"{weight.value:.3g}",
            _interval(weight),
            f"{_NATS * weight.worth:.2f}",
        )
        for weight in fit.weights
    ]
    yield table_of(columns, rows, right=columns[1:])
    yield Text(
        f"{fit.positions:,} positions of {fit.games:,} games; a value of 1 is {fit.scale:.2f} in log-odds"
    )
    yield Text(conclusion(fit.validation))
    yield Text(f"\nTerms:\n{term_lines(_TERMS, _TERMS)}", "dim")


def conclusion(validation: "Validation") -> str:
    """Return a sentence that compares the forecasts of unseen games by the fitted and the former weights."""
    from battlesnake_search.common.estimation import Estimate

    gain = validation.gain
    if gain.low > 0 or gain.high < 0:
        better = "better" if gain.low > 0 else "worse"
        found = f"Unseen games are forecast {better} by the fitted weights than by the former ones"
    else:
        found = "Unseen games don't tell whether the fitted weights or the former ones forecast them better"
    losses = f"loss {_NATS * validation.loss:.2f} and {_NATS * validation.former_loss:.2f}"
    in_nats = Estimate(_NATS * gain.value, _NATS * gain.low, _NATS * gain.high)
    return f"{found}: {losses}, {in_nats} less."


def _interval(weight: "FittedWeight") -> str:
    """Return the interval of a weight, or nothing if it is unknown."""
    from arena.learning.samples import QUANTILE

    if math.isnan(weight.error):
        return ""
    margin = QUANTILE * weight.error
    return f"{weight.value - margin:.3g} to {weight.value + margin:.3g}"
