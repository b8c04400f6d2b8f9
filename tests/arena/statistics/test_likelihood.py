"""The likeliest distributions under a condition."""

from collections.abc import Callable
from math import log, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.statistics.elo import BlockTally
from arena.statistics.sprt import with_mean, with_t

COUNTS = st.lists(st.one_of(st.just(0), st.integers(0, 10), st.integers(0, 100_000)), min_size=5, max_size=5)
BLOCKS = st.lists(st.integers(0, 24).map(lambda points: points / 24), max_size=60)
TALLIES = COUNTS.map(BlockTally.pentanomial) | BLOCKS.map(
    lambda points: BlockTally.of_blocks(points, games=4)
)


def shares_of(tally: BlockTally) -> tuple[tuple[float, ...], list[float]]:
    """The values of a tally and their shares, none of which is 0."""
    values, counts = tally.regularized()
    return values, [count / sum(counts) for count in counts]


def moments(values: tuple[float, ...], shares: list[float]) -> tuple[float, float]:
    """Mean and standard deviation."""
    mean = sum(value * share for value, share in zip(values, shares, strict=True))
    return mean, sqrt(sum(share * (value - mean) ** 2 for value, share in zip(values, shares, strict=True)))


@given(TALLIES, st.floats(0.003, 0.997))
def test_the_mean_is_the_given_one(tally: BlockTally, mean: float) -> None:
    """Shares sum to 1, no share is 0, and their mean is the given one."""
    values, shares = shares_of(tally)
    answer = with_mean(values, shares, mean)
    assert min(answer) > 0
    assert sum(answer) == pytest.approx(1)
    assert moments(values, answer)[0] == pytest.approx(mean, abs=1e-9)


@settings(max_examples=300, deadline=None)
@given(TALLIES, st.floats(-6, 6))
def test_the_t_value_is_the_given_one(tally: BlockTally, t: float) -> None:
    """Shares sum to 1, no share is 0, and their mean is t standard deviations from 1/2."""
    values, shares = shares_of(tally)
    answer = with_t(values, shares, t)
    assert min(answer) > 0
    assert sum(answer) == pytest.approx(1)
    mean, deviation = moments(values, answer)
    assert mean - 0.5 == pytest.approx(t * deviation, abs=1e-7)


@pytest.mark.parametrize("condition", [with_mean, with_t])
def test_what_was_seen_is_likeliest(condition: Callable[..., list[float]]) -> None:
    """If the shares seen satisfy the condition, they are the solution."""
    values, shares = shares_of(BlockTally.pentanomial([10, 20, 30, 25, 15]))
    mean, deviation = moments(values, shares)
    asked = mean if condition is with_mean else (mean - 0.5) / deviation
    assert condition(values, shares, asked) == pytest.approx(shares)


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


def test_two_values_are_a_coin() -> None:
    """With the values 0 and 1 only, the condition determines the solution."""
    assert with_mean((0.0, 1.0), [0.5, 0.5], 0.7) == pytest.approx([0.3, 0.7])
    assert with_t((0.0, 1.0), [0.9, 0.1], 0.75) == pytest.approx([0.2, 0.8])
