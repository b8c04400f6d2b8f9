"""Ratings of players who met in games of any size."""

import pytest

from battlesnake_search.common.estimation import UNRATED, rate


def test_a_new_player_is_rated_25() -> None:
    """Before the first game the mean is 25, its deviation 25/3 and the ordinal 0."""
    assert (UNRATED.mu, UNRATED.sigma) == pytest.approx((25.0, 25 / 3))
    assert UNRATED.ordinal == pytest.approx(0.0)


def test_the_lower_rank_is_rated_higher() -> None:
    """The first game of a duel gives the ratings that openskill's authors publish."""
    table = rate([{"first": 0, "second": 1}])
    assert (table["first"].mu, table["first"].sigma) == pytest.approx((27.63523138347365, 8.065506316323548))
    assert (table["second"].mu, table["second"].sigma) == pytest.approx(
        (22.36476861652635, 8.065506316323548)
    )


def test_a_game_of_one_player_rates_nobody() -> None:
    """Without an opponent there is nothing to compare."""
    assert rate([{"alone": 0}, {}]) == {}
