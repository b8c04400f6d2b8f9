"""Ratings of arms, from games among themselves and against strangers."""

import pytest

from gateway.experiments.ratings import Played, ratings
from gateway.game.values import Result

RESULTS: tuple[Result, ...] = ("win", "draw", "loss")


def _duel(arm: str, won: bool) -> list[Played]:
    return [Played(arm, "win" if won else "loss", 1 if won else 2, 1)]


def test_a_duel_between_arms_is_rated_as_published() -> None:
    """The ratings after a first game are those in the documentation of openskill.js (without its tau)."""
    table = ratings([[Played("a", "win", 1, 1), Played("b", "loss", 2, 1)]])
    assert (table["a"].mu, table["b"].mu) == pytest.approx((27.635, 22.365), abs=0.01)
    assert table["a"].sigma == pytest.approx(8.066, abs=0.01)


def test_arms_that_never_meet_are_ordered_by_their_results() -> None:
    """Against the same field, an arm that wins more is rated higher."""
    games = []
    for number in range(100):
        for arm, tenths in (("strong", 8), ("even", 5), ("weak", 2)):
            games.append(_duel(arm, number % 10 < tenths))
    table = ratings(games)
    assert table["strong"].mu > table["even"].mu > table["weak"].mu


def test_a_draw_lies_between_a_win_and_a_loss() -> None:
    """Against a stranger they count as against any other player of the same rating."""
    won, drawn, lost = (ratings([[Played("a", result, None, 1)]])["a"].mu for result in RESULTS)
    assert (won, drawn, lost) == pytest.approx((27.635, 25, 22.365), abs=0.01)


def test_the_best_place_of_an_arm_counts() -> None:
    """Two snakes of an arm are one player, and an unknown place lies behind all known ones."""
    one = [Played("a", "loss", None, 2), Played("a", "win", 1, 2), Played("b", "loss", 2, 2)]
    table, swapped = ratings([one]), ratings([one[::-1]])
    assert table["a"].mu == swapped["a"].mu > table["b"].mu
    behind = ratings([[Played("a", "loss", None, 2), Played("b", "loss", 3, 2)]])
    assert behind["a"].mu == pytest.approx(behind["b"].mu)


def test_each_number_of_opponents_is_a_field_of_its_own() -> None:
    """Other arms' games of four don't change the rating of an arm that plays duels; their duels do."""
    duels = [_duel("a", number % 2 < 1) for number in range(20)]
    alone = ratings(duels)["a"]
    assert ratings([[Played("b", "win", 1, 3)]] * 20 + duels)["a"] == alone
    assert ratings([_duel("b", True)] * 20 + duels)["a"].mu < alone.mu


def test_where_arms_meet_their_places_count() -> None:
    """Of two arms that lost to a stranger, the one in second place is rated higher."""
    table = ratings([[Played("last", "loss", 3, 2), Played("second", "loss", 2, 2)]] * 5)
    assert table["second"].mu > table["last"].mu


def test_an_arm_against_itself_is_not_rated() -> None:
    """A game between snakes of one arm gives no ratings."""
    assert ratings([[Played("a", "win", 1, 1), Played("a", "loss", 2, 1)]]) == {}
