"""Estimates and ratings."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battlesnake_search.common.estimation import Estimate, expected_delay, fixed, percent


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
        (Estimate(inf, 18.87, inf), "more than +18.87 (no upper bound)"),
        (Estimate(-inf, -inf, -18.87), "less than -18.87 (no lower bound)"),
        (Estimate(inf, -511.5, inf), "unknown: too few results"),
        (Estimate(-inf, -inf, 511.5), "unknown: too few results"),
        (Estimate(inf, -inf, inf), "unknown: too few results"),
        (Estimate(0.0, -inf, inf), "+0.00 (no bounds yet)"),
    ],
)
def test_an_infinite_end_is_put_into_words(estimate: Estimate, text: str) -> None:
    """A margin would be infinite: the text names the finite end, and never infinity."""
    assert estimate.margin == inf
    assert str(estimate) == text


def test_a_half_is_rounded_away_from_zero() -> None:
    """The stored number is rounded: the nearest one to 1.005 lies below it. No result is a negative zero."""
    values = ((92.5, 0), (0.5, 0), (-2.5, 0), (0.125, 2), (1.005, 2), (-0.4, 0))
    assert [fixed(*each) for each in values] == ["93", "1", "-3", "0.13", "1.00", "0"]
    assert [percent(0.925), percent(0.925, 1), percent(0.0)] == ["93 %", "92.5 %", "0 %"]


@given(st.floats(0, 100_000), st.floats(-100_000, 100_000))
def test_a_delay_rises_at_once_and_falls_slowly(delay: float, measured: float) -> None:
    """A longer delay is adopted at once. A shorter delay moves the estimate only part of the way."""
    after = expected_delay(delay, measured)
    assert after == measured if measured >= delay else measured < after <= delay
