"""The page's format of numbers and names."""

from math import inf

import pytest

from arena.report import wording
from battlesnake_search.common.estimation import Estimate


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(12.3, 2.3, 22.3), "+12.3 ± 10.0"),
        (Estimate(-12.3, -22.3, -2.3), "\N{MINUS SIGN}12.3 ± 10.0"),
        (Estimate(100.0, 20.0, 300.0), "+100.0 (+20.0 to +300.0)"),
        (Estimate(inf, 80.0, inf), "more than +80.0 (no upper bound)"),
        (Estimate(-inf, -inf, -80.0), "less than \N{MINUS SIGN}80.0 (no lower bound)"),
        (Estimate(-0.01, -1.01, 0.99), "+0.0 ± 1.0"),
    ],
)
def test_intervals_are_short_where_they_can_be(estimate: Estimate, text: str) -> None:
    """Symmetric intervals have one margin, asymmetric ones both ends, infinite ones the end that is known."""
    assert wording.interval(estimate) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.5, "50.0 %"), (0.99999, "over 99.9 %"), (0.00001, "under 0.1 %"), (1.0, "100.0 %"), (0.0, "0.0 %")],
)
def test_a_chance_is_not_rounded_to_certainty(share: float, text: str) -> None:
    """Only certainty is 0 or 100 per cent."""
    assert wording.percent(share) == text
