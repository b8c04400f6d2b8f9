"""Points and p-values of three entrants and more."""

import random
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.statistics.ranking import entrant_results, pairwise

POINTS = st.integers(0, 12).map(lambda points: points / 12)
BLOCKS = st.lists(st.tuples(POINTS, POINTS, POINTS), max_size=30)

# Student's own example (1908): hours of sleep gained by ten patients with each of two drugs.
SLEEP = [
    (0.7, 1.9), (-1.6, 0.8), (-0.2, 1.1), (-1.2, 0.1), (-0.1, -0.1),
    (3.4, 4.4), (3.7, 5.5), (0.8, 1.6), (0.0, 4.6), (2.0, 3.4),
]  # fmt: skip


def test_differences_as_student() -> None:
    """Student's data, in units of points, give the published p-value of 0.0028 (t = 4.06, 9 degrees)."""
    blocks = [((one + 2) / 10, (other + 2) / 10) for one, other in SLEEP]
    assert pairwise(2, blocks) == {(0, 1): pytest.approx(0.00283, abs=0.00001)}
    # With two entrants, the distance from the mean of both is half the difference between them.
    alone = [result.p_value for result in entrant_results(2, blocks)]
    assert alone == pytest.approx([0.00283] * 2, abs=0.00001)


def test_intervals_as_student() -> None:
    """The second drug's gain of 2.33 hours has the interval 0.90 to 3.76 (t = 2.262, 9 degrees)."""
    gain = entrant_results(2, [((one + 2) / 10, (other + 2) / 10) for one, other in SLEEP])[1].points
    hours = [10 * end - 2 for end in (gain.value, gain.low, gain.high)]
    assert hours == pytest.approx([2.33, 0.898, 3.762], abs=0.001)


@given(BLOCKS)
def test_any_blocks_end_in_numbers(blocks: list[tuple[float, float, float]]) -> None:
    """Any blocks give intervals around the means and p-values from 0 to 1."""
    for result in entrant_results(3, blocks):
        assert 0 <= result.points.low <= result.points.value <= result.points.high <= 1
        assert 0 <= result.p_value <= 1
    values = pairwise(3, blocks)
    assert list(values) == [(0, 1), (0, 2), (1, 2)]
    assert all(0 <= value <= 1 and not isnan(value) for value in values.values())


def test_all_blocks_alike() -> None:
    """Without variance the sign test decides, and equal points stay equal, thirds included."""
    alike = [(1 / 3, 1 - 2 / 3, 1 / 3)] * 40
    assert {result.p_value for result in entrant_results(3, alike)} == {1.0}
    assert set(pairwise(3, alike).values()) == {1.0}
    first, *_ = entrant_results(3, [(1.0, 0.5, 0.0)] * 10)
    assert first.p_value == pytest.approx(2 / 2**10)
    assert (first.points.value, first.points.high) == (1.0, 1.0)
    assert 0.7 < first.points.low < 0.8


def test_holm() -> None:
    """Holm's adjustment: the smallest value is multiplied by the number of pairs, the next by one less."""
    rng = random.Random(3)
    blocks = [(rng.gauss(0.6, 0.1), rng.gauss(0.5, 0.1), rng.gauss(0.5, 0.1)) for _ in range(30)]
    single = {
        pair: pairwise(2, [[block[i] for i in pair] for block in blocks])[0, 1] for pair in pairwise(3, [])
    }
    lowest, middle, highest = sorted(single, key=single.__getitem__)
    adjusted = pairwise(3, blocks)
    assert adjusted[lowest] == pytest.approx(3 * single[lowest])
    assert adjusted[middle] == pytest.approx(2 * single[middle])
    assert adjusted[highest] == pytest.approx(single[highest])
