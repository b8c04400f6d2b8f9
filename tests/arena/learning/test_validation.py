"""The worth of forecasts."""

import numpy as np

from arena.learning.validation import calibration


def test_calibration_compares_forecasts_with_outcomes() -> None:
    """From the lowest forecasts to the highest, in bins of as many samples."""
    low, high = calibration(np.array([0.9, 0.1, 0.2, 0.7]), np.array([1.0, 0.0, 1.0, 1.0]), bins=2)
    assert (low.forecast, low.outcome, low.samples) == (0.15000000000000002, 0.5, 2)
    assert (high.forecast, high.outcome) == (0.8, 1.0)
