"""Arrays of numbers, and the loss of forecasts."""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

QUANTILE = 1.96
"""The standard errors to either end of a 95 % interval."""


def log_losses(chances: Numbers, targets: Numbers) -> Numbers:
    """Return the loss of each forecast: less the logarithm of the chance that it gave to what happened."""
    clipped = np.clip(chances, 1e-9, 1.0 - 1e-9)
    losses: Numbers = -(targets * np.log(clipped) + (1.0 - targets) * np.log1p(-clipped))
    return losses
