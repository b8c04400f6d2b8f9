"""Elo from counts of blocks."""

from math import inf, isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.statistics.elo import (
    BlockTally,
    elo_difference,
    elo_of_score,
    points,
    score_of_elo,
    superiority,
)
from battlesnake_search.common.estimation import Estimate

PAIR_POINTS = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1)


def test_equal_values_are_counted_together() -> None:
    """Means of thirds that differ in the last digit are one value."""
    tally = BlockTally.of_blocks([0.1 + 0.2, 0.3, 1 / 3, 1 - 2 / 3], games=4)
    assert (len(tally.values), tally.counts, tally.games) == (2, (2, 2), 4)


COUNTS = st.lists(st.integers(0, 1000), min_size=5, max_size=5)


@pytest.mark.parametrize(("elo", "score"), [(0, 1 / 2), (400, 10 / 11), (-400, 1 / 11), (800, 100 / 101)])
def test_400_points_are_10_to_1(elo: float, score: float) -> None:
    """The scale is that of chess, in both directions; a score of all or nothing is infinite."""
    assert score_of_elo(elo) == pytest.approx(score)
    assert elo_of_score(score) == pytest.approx(elo)
    assert (elo_of_score(0.0), elo_of_score(1.0)) == (-inf, inf)


@pytest.mark.parametrize(
    ("counts", "value", "margin", "los"),
    [
        # fastchess, app/tests/elo_test.cpp, "EloPentanomial": LL, LD, WL + DD, WD, WW.
        ((34, 54, 31 + 32, 64, 75), 55.58, 27.65, 1.0),
        ((332, 433, 457 + 41, 333, 334), -8.64, 10.33, 0.0505),
        ((7895, 8757, 5485 + 200, 568, 9999), -21.04, 2.95, 0.0),
    ],
)
def test_pairs_as_fastchess(counts: tuple[int, ...], value: float, margin: float, los: float) -> None:
    """Elo with its margin, and the likelihood of superiority, are those of fastchess."""
    tally = BlockTally.pentanomial(counts)
    known = elo_difference(tally)
    assert [known.value, known.margin] == pytest.approx([value, margin], abs=0.006)
    assert superiority(tally) == pytest.approx(los, abs=0.00006)


@given(COUNTS)
def test_any_counts_end_in_numbers(counts: list[int]) -> None:
    """Any counts give an interval around the estimate, and swapping the sides mirrors it."""
    tally, mirrored = BlockTally.pentanomial(counts), BlockTally.pentanomial(counts[::-1])
    for of in (points, elo_difference):
        known = of(tally)
        assert known.low <= known.value <= known.high
        assert not isnan(known.margin)
        assert "nan" not in str(known)
    known, turned = elo_difference(tally), elo_difference(mirrored)
    assert turned.low == pytest.approx(-known.high, rel=1e-6, abs=1e-6)
    assert turned.value == pytest.approx(-known.value, rel=1e-6, abs=1e-6)
    assert superiority(tally) + superiority(mirrored) == pytest.approx(1.0)


def test_nothing_counted() -> None:
    """Before the first block the difference is 0, between infinite ends."""
    assert elo_difference(BlockTally.of_pairs([])) == Estimate(0.0, -inf, inf)
    assert superiority(BlockTally.of_pairs([])) == 0.5


def test_all_alike() -> None:
    """All wins are infinite Elo with a finite low end, all draws are even; more blocks are more certain."""
    of = elo_difference
    few, many = of(BlockTally.pentanomial([0, 0, 0, 0, 5])), of(BlockTally.pentanomial([0, 0, 0, 0, 500]))
    assert (few.value, few.high, few.margin) == (inf, inf, inf)
    assert 0 < few.low < many.low < inf
    few, many = of(BlockTally.pentanomial([0, 0, 5, 0, 0])), of(BlockTally.pentanomial([0, 0, 500, 0, 0]))
    assert few.value == many.value == 0
    assert few.low == pytest.approx(-few.high)
    assert 0 < many.high < few.high < inf
    assert of(BlockTally.pentanomial([5, 0, 0, 0, 0])).high < 0


def test_superiority_after_equal_blocks() -> None:
    """After n equal blocks, LOS is the posterior of a uniform prior: 1 - 1/2 ** (n + 1)."""
    assert superiority(BlockTally.pentanomial([0, 0, 0, 0, 1])) == 0.75
    assert superiority(BlockTally.pentanomial([0, 0, 0, 2, 0])) == 0.875
    assert superiority(BlockTally.pentanomial([2, 0, 0, 0, 0])) == 0.125
    assert superiority(BlockTally.pentanomial([0, 0, 9, 0, 0])) == 0.5
