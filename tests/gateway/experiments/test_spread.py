"""A mean over the moves of many games."""

import pytest

from gateway.experiments.spread import Spread, spread


def test_long_games_count_more() -> None:
    """The mean is over moves; games without one, or without moves, have no part in it."""
    assert spread([(4.0, 30), (8.0, 10), (None, 5), (100.0, 0)]) == Spread(5.0, 4.0, 8.0)


@pytest.mark.parametrize(("games", "low", "high"), [(9, 1.0, 9.0), (10, 2.0, 9.0), (21, 3.0, 19.0)])
def test_four_games_in_five_are_within(games: int, low: float, high: float) -> None:
    """A tenth of them is left out at either end, whatever their order and their lengths."""
    found = spread((float(number), 1) for number in range(games, 0, -1))
    assert found is not None and (found.low, found.high) == (low, high)


def test_without_games_there_is_no_spread() -> None:
    """Nothing is known of a mean without moves."""
    assert spread([]) is None and spread([(None, 3), (2.0, 0)]) is None
