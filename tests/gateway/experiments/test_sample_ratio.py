"""The check of the draw, on simulated games."""

import random
from math import comb, factorial

import pytest

from gateway.experiments.sample_ratio import sample_ratio

SHARES = {"champion": 0.8, "challenger": 0.2}


def _drawn(champions: float, games: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return ["champion" if rng.random() < champions else "challenger" for _ in range(games)]


def test_a_draw_that_works_is_almost_never_doubted() -> None:
    """Of 500 experiments with 20 looks at each, none is a mismatch."""
    for seed in range(500):
        arms = _drawn(0.8, 1000, seed)
        for games in range(50, 1001, 50):
            assert not sample_ratio([(arm, SHARES) for arm in arms[:games]]).mismatch


@pytest.mark.parametrize(("champions", "games"), [(0.95, 300), (0.65, 500), (0.85, 4000), (1.0, 60)])
def test_lost_games_are_noticed(champions: float, games: int) -> None:
    """Shares that are not those of the draw are found, sooner if they are farther off."""
    for seed in range(20):
        assert sample_ratio([(arm, SHARES) for arm in _drawn(champions, games, seed)]).mismatch


def test_the_evidence_is_the_bayes_factor() -> None:
    """With equal shares, p is the probability under them over the one under a beta distribution."""
    check = sample_ratio([("a" if number < 30 else "b", {"a": 0.5, "b": 0.5}) for number in range(40)])
    ahead, behind = factorial(9 + 30) // factorial(9), factorial(9 + 10) // factorial(9)
    mixture = comb(40, 10) * ahead * behind / (factorial(19 + 40) // factorial(19))
    assert check.p == pytest.approx(comb(40, 10) * 0.5**40 / mixture)
    assert (check.games, check.expected) == ({"a": 30, "b": 10}, {"a": 20, "b": 20})


def test_changed_shares_are_samples_of_their_own() -> None:
    """Games of each draw are expected by its own shares, and an arm that never played is counted."""
    before = [(arm, SHARES) for arm in ["champion"] * 80 + ["challenger"] * 20]
    after = [("champion", {"champion": 0.5, "new": 0.5})] * 10
    check = sample_ratio([*before, *after])
    assert check.games == {"champion": 90, "challenger": 20, "new": 0}
    assert check.expected == {"champion": 85, "challenger": 20, "new": 5}
    assert not check.mismatch
