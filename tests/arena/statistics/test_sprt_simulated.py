"""In simulated matches the sequential test has the error rates and the length that it should."""

import random
from collections.abc import Sequence

import pytest

from arena.statistics.elo import BlockTally, score_of_elo
from arena.statistics.sprt import Sprt, SprtDecision, with_mean

MATCHES = 400
EQUALS = BlockTally.pentanomial([10, 20, 40, 20, 10])
MOST_BLOCKS = 5000


def shares_at(tally: BlockTally, elo: float) -> tuple[tuple[float, ...], list[float]]:
    """Values and their shares for entrants with a given difference, close to the counts of equals."""
    values, counts = tally.regularized()
    return values, with_mean(values, [count / sum(counts) for count in counts], score_of_elo(elo))


def play(
    test: Sprt, values: Sequence[float], shares: Sequence[float], games: int, rng: random.Random
) -> tuple[SprtDecision, int]:
    """The decision on random blocks, and the number of blocks until it, tested after every other block."""
    counts = dict.fromkeys(values, 0)
    for block in range(2, MOST_BLOCKS, 2):
        for value in rng.choices(values, shares, k=2):
            counts[value] += 1
        decision = test.decision(BlockTally(tuple(values), tuple(counts.values()), games))
        if decision != "undecided":
            return decision, block
    return "undecided", MOST_BLOCKS


@pytest.mark.parametrize(("elo", "right"), [(0, "rejected"), (60, "accepted")])
def test_errors_and_length_of_duels(elo: float, right: SprtDecision) -> None:
    """If a hypothesis is true, about 5 % of decisions are wrong, after the expected number of games."""
    test, rng = Sprt(0, 60), random.Random(2024)
    values, shares = shares_at(EQUALS, elo)
    played = [play(test, values, shares, 2, rng) for _ in range(MATCHES)]
    # 5 %, and three standard deviations of the share in so many matches.
    assert sum(decision != right for decision, _ in played) <= 0.083 * MATCHES
    games = 2 * sum(blocks for _, blocks in played) / MATCHES
    assert games == pytest.approx(test.prospects(EQUALS, elo).games, rel=0.2)


def test_errors_of_games_of_four() -> None:
    """Blocks of four games between four entrants, of 13 values, are tested as well as pairs."""
    test, rng = Sprt(0, 20), random.Random(7)
    equals = BlockTally.of_blocks(
        [sum(rng.randrange(4) for _ in range(4)) / 12 for _ in range(2000)], games=4
    )
    for elo, right in ((0, "rejected"), (20, "accepted")):
        values, shares = shares_at(equals, elo)
        played = [play(test, values, shares, 4, rng) for _ in range(MATCHES // 4)]
        # 5 of 100, and three standard deviations.
        assert sum(decision != right for decision, _ in played) <= 11
