"""Ratings of any number of entrants."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.statistics.ranking import ratings
from battlesnake_search.common.estimation import Rating


@pytest.mark.parametrize(
    "expected",
    [
        # openskill.js, test/models/plackett-luce: everyone against everyone, in this order.
        [(27.63523138347365, 8.065506316323548), (22.36476861652635, 8.065506316323548)],
        [
            (27.868876552746237, 8.204837030780652),
            (25.717219138186557, 8.057829747583874),
            (21.413904309067206, 8.057829747583874),
        ],
        [
            (27.795084971874736, 8.263160757613477),
            (26.552824984374855, 8.179213704945203),
            (24.68943500312503, 8.083731307186588),
            (20.96265504062538, 8.083731307186588),
        ],
    ],
)
def test_one_game_as_openskill(expected: list[tuple[float, float]]) -> None:
    """After one game the ratings are those that openskill's authors publish."""
    table = ratings(len(expected), [{entrant: -entrant for entrant in range(len(expected))}])
    assert [(rating.mu, rating.sigma) for rating in table] == [pytest.approx(rating) for rating in expected]


@pytest.mark.parametrize("games", [[], [{0: 1.0}], [{}]])
def test_before_the_first_game(games: list[dict[int, float]]) -> None:
    """Every entrant starts with a mean of 25 and an ordinal of 0; a game of one changes nothing."""
    table = ratings(3, games)
    assert table == [Rating(25.0, 25 / 3)] * 3
    assert table[0].ordinal == pytest.approx(0.0)


def test_ties_and_absence() -> None:
    """Equal points change no mean, and an absent entrant stays unrated."""
    one, two, absent = ratings(3, [{0: 0.5, 1: 0.5}])
    assert one.mu == pytest.approx(two.mu)
    assert one.sigma < 25 / 3
    assert absent == Rating(25.0, 25 / 3)


@settings(max_examples=20, deadline=None)
@given(st.permutations(range(4)))
def test_the_better_rise(order: list[int]) -> None:
    """After 50 games with the same outcome the ratings are in its order, and more certain than at first."""
    table = ratings(4, [{entrant: float(points) for points, entrant in enumerate(order)}] * 50)
    ordinals = [table[entrant].ordinal for entrant in order]
    assert ordinals == sorted(ordinals)
    assert all(rating.sigma < 25 / 3 for rating in table)


def test_three_places_are_three_ranks() -> None:
    """The middle entrant of three, with half of the points, is rated between the others."""
    best, middle, worst = ratings(3, [{0: 1.0, 1: 0.5, 2: 0.0}] * 5)
    assert best.mu > middle.mu + 1 > worst.mu + 2
