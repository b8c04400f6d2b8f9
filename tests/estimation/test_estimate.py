"""Estimates and how they are written."""

from math import inf

from estimation.estimate import Estimate


def test_a_finite_estimate_shows_its_margin() -> None:
    """The margin is half of the interval."""
    estimate = Estimate(1.5, 1.0, 2.0)
    assert estimate.margin == 0.5
    assert str(estimate) == "+1.50 ± 0.50"


def test_an_estimate_without_an_upper_end_shows_both_ends() -> None:
    """A margin would be infinite."""
    estimate = Estimate(1.5, 1.0, inf)
    assert estimate.margin == inf
    assert str(estimate) == "+1.50 (+1.00 to +inf)"
