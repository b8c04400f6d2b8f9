"""The worth of forecasts on unseen games: losses, and the gain with its interval."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.learning.samples import QUANTILE, Design, Numbers, log_losses
from battlesnake_search.common.estimation import Estimate


@dataclass(frozen=True, slots=True)
class Validation:
    """Forecasts of unseen games. Losses are means over all samples, in nats."""

    loss: float
    former_loss: float
    gain: Estimate
    """The loss of the former weights minus the loss of the fitted weights, with an interval over games."""
    chances: Numbers
    """The forecasts of the fitted weights, by sample."""


def compared(chances: Numbers, former: Numbers, design: Design) -> Validation:
    """Compare two forecasts of the outcomes of the same samples."""
    losses, former_losses = log_losses(chances, design.outcomes), log_losses(former, design.outcomes)
    return Validation(
        float(losses.mean()),
        float(former_losses.mean()),
        _gain(former_losses - losses, design.games),
        chances,
    )


def _gain(gains: Numbers, games: NDArray[np.int64]) -> Estimate:
    """Return the mean gain of a sample. Its interval treats games as independent, but not their samples."""
    mean = float(gains.mean())
    sums = np.bincount(games, gains - mean)
    margin = QUANTILE * float(np.sqrt(np.sum(sums * sums))) / len(gains)
    return Estimate(mean, mean - margin, mean + margin)
