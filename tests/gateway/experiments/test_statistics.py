"""Shares against published values."""

import pytest

from gateway.experiments.statistics import share


@pytest.mark.parametrize(
    ("part", "total", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_a_share_has_wilsons_interval(part: int, total: int, low: float, high: float) -> None:
    """The intervals are those of table I in R. G. Newcombe, "Two-sided confidence intervals for the single
    proportion" (1998).
    """
    known = share(part, total)
    assert known is not None and known.value == part / total
    assert (known.low, known.high) == pytest.approx((low, high), abs=5e-5)


def test_no_games_have_no_share() -> None:
    """Without games there is no share."""
    assert share(0, 0) is None
