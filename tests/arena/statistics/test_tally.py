"""Counts of block values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.statistics.elo import BlockTally

PAIR_POINTS = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1)


@given(PAIR_POINTS)
def test_pairs_are_blocks_of_two_games(points: list[float]) -> None:
    """A count of pairs is a count of blocks with all five values, seen or not."""
    pairs, blocks = BlockTally.of_pairs(points), BlockTally.of_blocks(points, games=2)
    assert len(pairs.counts) == 5
    assert (pairs.blocks, pairs.mean, pairs.varies) == (blocks.blocks, blocks.mean, blocks.varies)
    assert pairs.variance == pytest.approx(blocks.variance)
    assert pairs.mean == pytest.approx(sum(points) / len(points))


def test_equal_values_are_counted_together() -> None:
    """Means of thirds that differ in the last digit are one value."""
    tally = BlockTally.of_blocks([0.1 + 0.2, 0.3, 1 / 3, 1 - 2 / 3], games=4)
    assert (len(tally.values), tally.counts, tally.games) == (2, (2, 2), 4)


def test_single_games_ascend_from_losses() -> None:
    """Wins, draws and losses become the values 0, 1/2 and 1, from losses to wins."""
    tally = BlockTally.trinomial(wins=3, draws=2, losses=1)
    assert (tally.values, tally.counts, tally.games) == ((0.0, 0.5, 1.0), (1, 2, 3), 1)
    assert tally.mean == pytest.approx(2 / 3)


def test_nothing_counted_is_even() -> None:
    """An empty tally has a mean of 1/2 and no variance."""
    for tally in (BlockTally.of_pairs([]), BlockTally.of_blocks([], games=3), BlockTally.trinomial(0, 0, 0)):
        assert (tally.blocks, tally.mean, tally.variance, tally.varies) == (0, 0.5, 0.0, False)


def test_regularized_counts_are_above_0() -> None:
    """A regularized tally has the values 0 and 1, and an unseen value counts a thousandth."""
    assert BlockTally.of_blocks([0.5, 0.5, 0.75], games=2).regularized() == (
        (0.0, 0.5, 0.75, 1.0),
        (0.001, 2.0, 1.0, 0.001),
    )


def test_invalid_counts_are_rejected() -> None:
    """Negative counts, impossible values of pairs and points outside 0 to 1 are errors."""
    with pytest.raises(ValueError, match="counts must not be negative: 1 -1 3"):
        BlockTally.trinomial(wins=3, draws=-1, losses=1)
    with pytest.raises(ValueError, match=r"not 0\.3"):
        BlockTally.of_pairs([0.25, 0.3])
    with pytest.raises(ValueError, match="from 0 to 1"):
        BlockTally.of_blocks([1.5], games=2)


def test_two_values_vary() -> None:
    """One value alone tells nothing of the variance, however often it was seen."""
    assert (
        BlockTally.pentanomial([3, 0, 0, 0, 1]).varies and not BlockTally.pentanomial([0, 0, 9, 0, 0]).varies
    )
    assert BlockTally.pentanomial([3, 0, 0, 0, 1]).games == 2
