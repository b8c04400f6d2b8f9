"""Estimates and how they are written."""

from math import inf

import pytest

from battlesnake_search.common.estimation import Estimate


def test_a_finite_estimate_shows_its_margin() -> None:
    """The margin is half of the interval."""
    estimate = Estimate(1.5, 1.0, 2.0)
    assert estimate.margin == 0.5
    assert str(estimate) == "+1.50 ± 0.50"


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(1.5, 1.0, inf), "+1.50 (more than +1.00)"),
        (Estimate(1.5, -inf, 2.0), "+1.50 (less than +2.00)"),
        (Estimate(inf, -18.87, inf), "more than -18.87 (no upper bound)"),
        (Estimate(-inf, -inf, 18.87), "less than +18.87 (no lower bound)"),
        (Estimate(0.0, -inf, inf), "+0.00 (no bounds yet)"),
    ],
)
def test_an_infinite_end_is_put_into_words(estimate: Estimate, text: str) -> None:
    """A margin would be infinite: the text names the finite end, and never infinity."""
    assert estimate.margin == inf
    assert str(estimate) == text
