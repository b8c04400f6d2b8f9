"""Shares and differences against published values, numerical integrals and simulated games."""

import random
from collections.abc import Iterator
from math import exp, pi, sqrt
from statistics import pvariance

import pytest
from scipy.integrate import quad

from gateway.experiments.statistics import ERROR, Scores, decide, difference, games_missing, share

PLAYED = 400
LOOKS = range(30, PLAYED, 10)


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
    """Without games there is no share, no difference and no decision."""
    assert share(0, 0) is None
    assert difference({}, {"g": [1.0]}) is None and difference({"g": [1.0]}, {}) is None
    assert decide({}, {}) == 0


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


def test_arms_that_meet_are_not_independent() -> None:
    """The difference of arms that play against each other varies more."""
    ones = [1.0, 0.0] * 100
    met = difference(_games("g", ones), _games("g", [1 - one for one in ones]))
    apart = difference(_games("a", ones), _games("b", [1 - one for one in ones]))
    assert met is not None and apart is not None
    assert met.high - met.low > 1.2 * (apart.high - apart.low)


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


@pytest.mark.parametrize(("level", "draws"), [(0.5, 0.0), (0.5, 0.5), (0.9, 0.0), (0.05, 0.0)])
def test_equal_arms_are_rarely_decided_however_often_one_looks(level: float, draws: float) -> None:
    """Of 100 experiments with equal arms and 37 looks at each, at most 5 ever have a decision."""
    wrong = sum(any(_decisions((level, level), draws, seed)) for seed in range(100))
    assert wrong <= 5


def test_the_better_arm_is_found() -> None:
    """With 80 % against 50 % wins nearly every experiment finds the better arm, and none the other."""
    last = [list(_decisions((0.8, 0.5), 0.0, seed))[-1] for seed in range(30)]
    assert sum(last) >= 28 and -1 not in last


def test_a_few_games_decide_nothing() -> None:
    """With fewer than 30 games of either arm there is no decision, whatever the results."""
    assert decide(_games("a", [1.0] * 29), _games("b", [0.0] * 100)) == 0
    assert decide(_games("a", [1.0] * 30), _games("b", [0.0] * 100)) == 1


@pytest.mark.parametrize("wins", [60, 62, 70])
def test_the_missing_games_lead_to_a_decision(wins: int) -> None:
    """With so many games more of the same kind there is a decision, and with a tenth fewer there is none."""
    ones, others = [1.0] * wins + [0.0] * (100 - wins), [1.0, 0.0] * 50
    missing = games_missing(_games("a", ones), _games("b", others))
    assert missing is not None and missing > 0
    for part, decision in ((1.02, 1), (0.9, 0)):
        growth = 1 + part * missing / 200
        sizes = [round(100 * growth * share) for share in (wins / 100, 1 - wins / 100, 0.5, 0.5)]
        grown = [1.0] * sizes[0] + [0.0] * sizes[1], [1.0] * sizes[2] + [0.0] * sizes[3]
        assert decide(_games("a", grown[0]), _games("b", grown[1])) == decision


def test_few_games_miss_the_least_number() -> None:
    """However clear the difference is, each arm needs 30 games."""
    assert games_missing(_games("a", [1.0] * 20), _games("b", [0.0] * 20)) == 20


def test_equal_arms_have_no_decision_in_sight() -> None:
    """Without a difference, or without games, nobody knows how many games are missing."""
    even = [1.0, 0.0] * 50
    assert games_missing(_games("a", even), _games("b", even)) is None
    assert games_missing({}, _games("b", even)) is None


def test_less_room_for_an_error_widens_the_interval() -> None:
    """Where several arms share the probability of an error, each needs more games."""
    ones, others = _games("a", [1.0, 1.0, 0.0] * 60), _games("b", [1.0, 0.0] * 60)
    alone, shared = difference(ones, others), difference(ones, others, ERROR / 3)
    assert alone is not None and shared is not None
    assert alone.low > shared.low and alone.high < shared.high
    few, more = games_missing(ones, others), games_missing(ones, others, ERROR / 3)
    assert few is not None and more is not None and few < more
