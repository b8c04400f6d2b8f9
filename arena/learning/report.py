"""The findings of a fit, for a terminal."""

import math
from collections.abc import Iterator, Mapping

from rich.console import RenderableType
from rich.text import Text

from arena.learning.evaluator_fit import Fit, FittedWeight, Validation
from arena.learning.samples import QUANTILE
from arena.report.findings import Table
from arena.report.terminal import printed
from arena.statistics.terms import term_lines
from battlesnake_search.common.estimation import Estimate

_NATS = 1000.0
"""Losses are shown in thousandths of a nat."""

_TERMS: Mapping[str, str] = {
    "loss": "the negative logarithm of the chance that was forecast for the outcome: the mean over all "
    "snakes of all positions, in thousandths of a nat; 693 for even chances in a duel",
    "worth": "the growth of the loss if the weight is 0 instead",
    "interval": "95 %, clustered by game, because all positions of a game end alike; empty for a weight at "
    "its bound, or without an effect in this data",
    "unseen": "the games are split in five, and a fit to the other four forecasts each part",
}


def fit_summary(fit: Fit) -> Iterator[RenderableType]:
    """Yield the parts of the summary of a fit."""
    yield printed(_weights(fit))
    yield Text(
        f"{fit.positions:,} positions of {fit.games:,} games; a value of 1 is {fit.scale:.2f} in log-odds"
    )
    yield Text(conclusion(fit.validation))
    yield Text(f"\nTerms:\n{term_lines(_TERMS, _TERMS)}", "dim")


def conclusion(validation: Validation) -> str:
    """Return a sentence that compares the forecasts of unseen games by the fitted and the former weights."""
    gain = validation.gain
    if gain.low > 0 or gain.high < 0:
        better = "better" if gain.low > 0 else "worse"
        found = f"Unseen games are forecast {better} by the fitted weights than by the former ones"
    else:
        found = "Unseen games don't tell whether the fitted weights or the former ones forecast them better"
    losses = f"loss {_NATS * validation.loss:.2f} and {_NATS * validation.former_loss:.2f}"
    in_nats = Estimate(_NATS * gain.value, _NATS * gain.low, _NATS * gain.high)
    return f"{found}: {losses}, {in_nats} less."


def _weights(fit: Fit) -> Table:
    return Table(
        heading="Weights",
        columns=("weight", "former", "fitted", "interval", "worth"),
        rows=[
            (
                weight.declared.name,
                _number(weight.former),
                _number(weight.value),
                _interval(weight),
                f"{_NATS * weight.worth:.2f}",
            )
            for weight in fit.weights
        ],
    )


def _number(value: float) -> str:
    """Return a weight with as many digits as matter."""
    return f"{value:.3g}"


def _interval(weight: FittedWeight) -> str:
    """Return the interval of a weight, or nothing if it is unknown."""
    if math.isnan(weight.error):
        return ""
    margin = QUANTILE * weight.error
    return f"{_number(weight.value - margin)} to {_number(weight.value + margin)}"
