"""Shares, means, differences and the check of the draw, against published values and simulations."""

import random
from collections.abc import Iterator
from math import exp, log, pi, sqrt
from statistics import pvariance

import pytest
from scipy.integrate import quad

from battlesnake_search.common.estimation import Estimate
from console.experiments.statistics import ERROR, Totals, sample_ratio, spread
from tests.console.experiments.duels import Scores, totals_of

PLAYED = 400
LOOKS = range(30, PLAYED, 10)


def difference(ones: Scores, others: Scores, error: float = ERROR) -> Estimate | None:
    """Return the difference of two arms."""
    return totals_of(ones, others, error).difference()


def decide(ones: Scores, others: Scores) -> int:
    """Return the decision between two arms."""
    return totals_of(ones, others).decision()


def _games(prefix: str, results: list[float]) -> Scores:
    return {f"{prefix}{number}": [result] for number, result in enumerate(results)}


def test_the_interval_ends_where_the_mixture_test_rejects() -> None:
    """At the margin the likelihood ratio, averaged over differences around 0, is 20."""
    ones, others = [1.0] * 70 + [0.5] * 20 + [0.0] * 30, [1.0] * 40 + [0.0] * 60
    known = difference(_games("a", ones), _games("b", others))
    assert known is not None
    variance = sum((pvariance(games) + 0.5 / len(games)) / len(games) for games in (ones, others))
    margin = known.value - known.low

    def weighted(truth: float) -> float:
        likelier = exp((margin * truth - truth**2 / 2) / variance)
        return likelier * exp(-(truth**2) / 2 / 0.1**2) / (0.1 * sqrt(2 * pi))

    assert quad(weighted, -1, 1)[0] == pytest.approx(20, rel=1e-6)
    assert known.value == pytest.approx(80 / 120 - 40 / 100)
    assert known.high - known.value == pytest.approx(margin)


def _decisions(chances: tuple[float, float], draws: float, seed: int) -> Iterator[int]:
    """Yield the decision at each look at a simulated experiment, whose games go to either arm at random."""
    rng = random.Random(seed)
    arms: tuple[dict[str, list[float]], dict[str, list[float]]] = ({}, {})
    for number in range(PLAYED):
        arm = rng.randrange(2)
        result = 0.5 if rng.random() < draws else float(rng.random() < chances[arm])
        arms[arm][str(number)] = [result]
        if number in LOOKS:
            yield decide(*arms)


@pytest.mark.rest("simulations")
@pytest.mark.parametrize(("level", "draws"), [(0.5, 0.0), (0.5, 0.5), (0.9, 0.0), (0.05, 0.0)])
def test_equal_arms_are_rarely_decided_however_often_one_looks(level: float, draws: float) -> None:
    """Of 100 experiments with equal arms and 37 checks of each, at most 5 ever have a decision."""
    wrong = sum(any(_decisions((level, level), draws, seed)) for seed in range(100))
    assert wrong <= 5


def test_the_better_arm_is_found() -> None:
    """With 80 % against 50 % wins, nearly every experiment finds the better arm, and none finds the other."""
    last = [list(_decisions((0.8, 0.5), 0.0, seed))[-1] for seed in range(30)]
    assert sum(last) >= 28 and -1 not in last


def test_the_sums_are_those_of_all_games() -> None:
    """With several snakes of both arms in a game, the variance is the sum over the games' parts."""
    rng = random.Random(7)
    totals, arms = Totals(), (dict[str, list[float]](), dict[str, list[float]]())
    for _ in range(500):
        arm, game, score = rng.randrange(2), str(rng.randrange(120)), rng.choice([0.0, 0.5, 1.0])
        totals.add(arm, game, score)
        arms[arm].setdefault(game, []).append(score)
    means = [sum(map(sum, games.values())) / sum(map(len, games.values())) for games in arms]
    snakes = [sum(map(len, games.values())) for games in arms]
    parts = [
        sum(
            sign * sum(score - mean for score in games.get(game, [])) / count
            for games, mean, count, sign in zip(arms, means, snakes, (1, -1), strict=True)
        )
        for game in {*arms[0], *arms[1]}
    ]
    variance = sum(part**2 for part in parts) + sum(0.5 / count**2 for count in snakes)
    margin = sqrt(variance * (variance + 0.01) / 0.01 * log((variance + 0.01) / (variance * ERROR**2)))
    known = totals.difference()
    assert known is not None and known.value == pytest.approx(means[0] - means[1])
    assert known.high - known.value == pytest.approx(margin, rel=1e-9)
    assert totals.games == (len(arms[0]), len(arms[1]))


@pytest.mark.parametrize(("games", "low", "high"), [(9, 1.0, 9.0), (10, 2.0, 9.0), (21, 3.0, 19.0)])
def test_four_games_in_five_are_within(games: int, low: float, high: float) -> None:
    """A tenth of them is left out at either end, whatever their order and their lengths."""
    found = spread((float(number), 1) for number in range(games, 0, -1))
    assert found is not None and (found.low, found.high) == (low, high)


SHARES = {"champion": 0.8, "challenger": 0.2}


def _drawn(champions: float, games: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return ["champion" if rng.random() < champions else "challenger" for _ in range(games)]


@pytest.mark.rest("simulations")
def test_a_draw_that_works_is_almost_never_doubted() -> None:
    """Of 500 experiments with 20 checks of each, no experiment is a mismatch."""
    for seed in range(500):
        arms = _drawn(0.8, 1000, seed)
        for games in range(50, 1001, 50):
            assert not sample_ratio([(arm, SHARES) for arm in arms[:games]]).mismatch


@pytest.mark.parametrize(("champions", "games"), [(0.95, 300), (0.65, 500), (0.85, 4000), (1.0, 60)])
def test_lost_games_are_noticed(champions: float, games: int) -> None:
    """Shares that differ from the draw are found, sooner for larger differences."""
    for seed in range(20):
        assert sample_ratio([(arm, SHARES) for arm in _drawn(champions, games, seed)]).mismatch


def test_changed_shares_are_samples_of_their_own() -> None:
    """Games of each draw are expected by its own shares, and an arm that never played is counted."""
    before = [(arm, SHARES) for arm in ["champion"] * 80 + ["challenger"] * 20]
    after = [("champion", {"champion": 0.5, "new": 0.5})] * 10
    check = sample_ratio([*before, *after])
    assert check.games == {"champion": 90, "challenger": 20, "new": 0}
    assert check.expected == {"champion": 85, "challenger": 20, "new": 5}
    assert not check.mismatch
