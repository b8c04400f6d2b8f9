"""The words and figures of a fit, for a terminal and for a page."""

import math
from collections.abc import Mapping

from arena.learning.fits.fitting import FittedWeight
from arena.learning.fits.validation import Validation
from arena.learning.samples.numbers import QUANTILE
from battlesnake_search.common.estimation import Estimate

FITTED, FORMER = "the fitted weights", "the former ones"
"""What a fit compares."""

NATS = 1000.0
"""Losses are shown in thousandths of a nat."""

TERMS: Mapping[str, str] = {
    "loss": "less the logarithm of the chance that was forecast for what happened: the mean over all "
    "snakes of all positions, in thousandths of a nat; 693 for even chances in a duel",
    "worth": "by how much the loss grows if the weight is 0 instead",
    "interval": "95 %, clustered by game, since all positions of a game end alike; none for a weight at its "
    "bound, or one that makes no difference in this data",
    "unseen": "the games are split in five, and each part is forecast by a fit of the other four",
}


def number(value: float) -> str:
    """Return a weight with as many digits as matter."""
    return f"{value:.3g}"


def weight_interval(weight: FittedWeight) -> str:
    """Return the interval of a weight, or nothing if it is unknown."""
    if math.isnan(weight.error):
        return ""
    margin = QUANTILE * weight.error
    return f"{number(weight.value - margin)} to {number(weight.value + margin)}"


def conclusion(validation: Validation, new: str, former: str) -> str:
    """Return in a sentence whether something new forecasts unseen games better than something former."""
    gain = validation.gain
    if gain.low > 0 or gain.high < 0:
        better = "better" if gain.low > 0 else "worse"
        found = f"Unseen games are forecast {better} by {new} than by {former}"
    else:
        found = f"Unseen games don't tell whether {new} or {former} forecast them better"
    losses = f"loss {NATS * validation.loss:.2f} and {NATS * validation.former_loss:.2f}"
    return f"{found}: {losses}, {thousandths(gain)} less."


def thousandths(gain: Estimate) -> str:
    """Return a gain in thousandths of a nat."""
    return str(Estimate(NATS * gain.value, NATS * gain.low, NATS * gain.high))
