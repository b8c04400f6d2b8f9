"""The sequential test: likeliest distributions, published values, and simulated matches."""

from math import isfinite, log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.statistics.elo import BlockTally
from arena.statistics.sprt import Sprt, with_mean

COUNTS = st.lists(st.one_of(st.just(0), st.integers(0, 10), st.integers(0, 100_000)), min_size=5, max_size=5)
BLOCKS = st.lists(st.integers(0, 24).map(lambda points: points / 24), max_size=60)
TALLIES = COUNTS.map(BlockTally.pentanomial) | BLOCKS.map(
    lambda points: BlockTally.of_blocks(points, games=4)
)


def shares_of(tally: BlockTally) -> tuple[tuple[float, ...], list[float]]:
    """The values of a tally and their shares, none of which is 0."""
    values, counts = tally.regularized()
    return values, [count / sum(counts) for count in counts]


def test_no_neighbour_is_likelier() -> None:
    """Any other shares with the same mean make the blocks seen less likely."""
    values, shares = shares_of(BlockTally.pentanomial([10, 20, 30, 25, 15]))
    answer = with_mean(values, shares, 0.45)

    def likelihood(candidate: list[float]) -> float:
        return sum(share * log(one) for share, one in zip(shares, candidate, strict=True))

    # Moves that change neither the sum nor the mean.
    for move in ([1, -2, 1, 0, 0], [0, 1, -2, 1, 0], [0, 0, 1, -2, 1]):
        for size in (0.001, -0.001):
            other = [share + size * by for share, by in zip(answer, move, strict=True)]
            assert likelihood(other) < likelihood(answer)


PAIR_COUNTS = st.lists(st.one_of(st.just(0), st.integers(0, 5000)), min_size=5, max_size=5)
ELO = st.floats(-1000, 1000)


@pytest.mark.parametrize(
    ("elo0", "elo1", "tally", "ratio"),
    [
        # fastchess, app/tests/sprt_test.cpp: wins, draws, losses; then LL, LD, WL + DD, WD, WW.
        (0.5, 2.5, BlockTally.trinomial(21404, 40708, 21184), -1.57),
        (0, 2, BlockTally.trinomial(57433, 106593, 57030), -2.59),
        (0.5, 2.5, BlockTally.pentanomial((223, 9863, 20279 + 1000, 10037, 246)), -3.07),
        (0, 2, BlockTally.pentanomial((871, 26175, 55003 + 980, 26678, 821)), -4.98),
    ],
)
def test_ratios_as_fastchess(elo0: float, elo1: float, tally: BlockTally, ratio: float) -> None:
    """The log-likelihood ratio of single games and of pairs is that of fastchess."""
    assert Sprt(elo0, elo1).log_likelihood_ratio(tally) == pytest.approx(ratio, abs=0.01)


def test_bounds_as_fishtest() -> None:
    """With error rates of 5 % the bounds are -2.94 and 2.94; each error rate has its own bound."""
    assert [Sprt(0, 2).lower, Sprt(0, 2).upper] == pytest.approx([-2.94, 2.94], abs=0.005)
    assert Sprt(0, 2, alpha=0.01).upper == pytest.approx(4.55, abs=0.005)
    assert Sprt(0, 2, beta=0.01).lower == pytest.approx(-4.55, abs=0.005)


@pytest.mark.parametrize(
    ("elo", "elo1", "counts", "accepted", "games"),
    [
        # M. Van den Bergh's simulations of the test of 0 against elo1 with 5 % either way, where pairs
        # between equals end like this: github.com/vdbergh/pentanomial and github.com/vdbergh/simul, README.
        (10, 10, (159, 2189, 5303, 2189, 159), 0.950, 1809),
        (2, 2, (32347, 246400, 442505, 246400, 32347), 0.9506, 60849),
        (0, 2, (32347, 246400, 442505, 246400, 32347), 0.0529, 60007),
    ],
)
def test_prospects_as_simulated_by_others(
    elo: float, elo1: float, counts: tuple[int, ...], accepted: float, games: float
) -> None:
    """The chance of acceptance and the number of games are those of published simulations."""
    prospects = Sprt(0, elo1).prospects(BlockTally.pentanomial(counts), elo)
    assert prospects.acceptance == pytest.approx(accepted, abs=0.01)
    assert prospects.games == pytest.approx(games, rel=0.02)


def test_prospects_are_as_promised() -> None:
    """Acceptance is alpha at elo0 and 1 - beta at elo1, and the test takes longest between them."""
    test, tally = Sprt(0, 10, 0.03, 0.08), BlockTally.pentanomial([160, 2190, 5300, 2190, 160])
    low, middle, high = (test.prospects(tally, elo) for elo in (0, 5, 10))
    assert low.acceptance == pytest.approx(0.03, rel=0.02)
    assert high.acceptance == pytest.approx(0.92, rel=0.02)
    assert middle.games > max(low.games, high.games)
    far = [test.prospects(tally, elo).games for elo in (-100, -30, -10, 0)]
    assert far == sorted(far)


@settings(max_examples=100)
@given(PAIR_COUNTS, ELO, ELO)
def test_any_counts_end_in_numbers(counts: list[int], one: float, other: float) -> None:
    """Any counts and hypotheses have a finite ratio; swapping sides and hypotheses changes its sign."""
    if abs(one - other) < 0.01:
        return
    low, high = sorted((one, other))
    test, mirrored = Sprt(low, high), Sprt(-high, -low)
    ratio = test.log_likelihood_ratio(BlockTally.pentanomial(counts))
    assert isfinite(ratio)
    turned = mirrored.log_likelihood_ratio(BlockTally.pentanomial(counts[::-1]))
    assert turned == pytest.approx(-ratio, rel=1e-4, abs=1e-4)
    prospects = test.prospects(BlockTally.pentanomial(counts))
    assert 0 <= prospects.acceptance <= 1
    assert prospects.games > 0


def test_all_alike_is_decided() -> None:
    """All wins are accepted, all losses and all draws rejected, after enough pairs only."""
    test = Sprt(0, 20)
    assert test.decision(BlockTally.pentanomial([0, 0, 0, 0, 0])) == "undecided"
    assert test.decision(BlockTally.pentanomial([0, 0, 0, 0, 1])) == "undecided"
    assert test.decision(BlockTally.pentanomial([0, 0, 0, 0, 200])) == "accepted"
    assert test.decision(BlockTally.pentanomial([200, 0, 0, 0, 0])) == "rejected"
    assert test.decision(BlockTally.pentanomial([0, 0, 2000, 0, 0])) == "rejected"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5, 0), r"elo0 must be below elo1, both from -1000 to 1000: not 5 and 0"),
        ((float("nan"), 0), r"elo0 must be below elo1"),
        ((0, 2000), r"from -1000 to 1000"),
    ],
)
def test_invalid_tests_are_rejected(arguments: tuple[object, ...], message: str) -> None:
    """Reversed or distant hypotheses are errors."""
    with pytest.raises(ValueError, match=message):
        Sprt(*arguments)  # type: ignore[arg-type]
