"""The Elo difference between an entrant and its opponents, with its interval, from counts of block values.

The games of a block share food and starts, so they depend on each other, while blocks are independent. The
block of a duel is a pair of games. A pair has five possible values, so the counts are pentanomial.

With m for the mean score, Elo is 400 * log10(m / (1 - m)). Its interval comes from the variance between
blocks, and so includes the dependence between the games of a block. Sources: docs/arena-statistics.md.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum, inf, log10, sqrt
from statistics import NormalDist

from battlesnake_search.common.estimation import CONFIDENCE, Estimate

PAIRS = ("LL", "LD", "WL/DD", "WD", "WW")
"""The results of a pair of games, from two losses to two wins."""

_PAIR_VALUES = (0.0, 0.25, 0.5, 0.75, 1.0)
_GAME_VALUES = (0.0, 0.5, 1.0)
_UNSEEN_COUNT = 1e-3
"""The count in likelihoods of a value that no block had, as in Fishtest and fastchess."""
DECIMALS = 9
"""The number of decimals to which values are rounded for comparisons: a mean of thirds is not exact."""


@dataclass(frozen=True)
class BlockTally:
    """Counts of block values. The values ascend and are from 0 to 1. Some counts may be 0."""

    values: tuple[float, ...]
    counts: tuple[int, ...]
    games: int
    """The number of games in a block."""

    @classmethod
    def of_blocks(cls, points: Iterable[float], games: int) -> "BlockTally":
        """Count an entrant's points in blocks of this number of games."""
        seen = Counter(round(value, DECIMALS) for value in points)
        return cls(tuple(sorted(seen)), tuple(seen[value] for value in sorted(seen)), games)

    @classmethod
    def of_pairs(cls, points: Iterable[float]) -> "BlockTally":
        """Count an entrant's points in the pairs of a duel."""
        seen = Counter(points)
        return cls.pentanomial([seen[value] for value in _PAIR_VALUES])

    @classmethod
    def pentanomial(cls, counts: Sequence[int]) -> "BlockTally":
        """Return the tally of the five counts of pairs, in the order of `PAIRS`."""
        return cls(_PAIR_VALUES, tuple(counts), 2)

    @classmethod
    def trinomial(cls, wins: int, draws: int, losses: int) -> "BlockTally":
        """Return the tally of single games, as if they were independent of each other."""
        return cls(_GAME_VALUES, (losses, draws, wins), 1)

    @property
    def blocks(self) -> int:
        """The number of blocks counted."""
        return sum(self.counts)

    @property
    def varies(self) -> bool:
        """Whether the blocks have more than one value. With one value the variance is unknown."""
        return sum(count > 0 for count in self.counts) > 1

    @property
    def mean(self) -> float:
        """The mean points of a block, or 1/2 before the first block."""
        pairs = zip(self.values, self.counts, strict=True)
        return fsum(value * count for value, count in pairs) / self.blocks if self.blocks else 0.5

    @property
    def variance(self) -> float:
        """The mean squared distance of a block's points from their mean."""
        mean = self.mean
        pairs = zip(self.values, self.counts, strict=True)
        return fsum(count * (value - mean) ** 2 for value, count in pairs) / max(self.blocks, 1)

    def regularized(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return values and counts for likelihoods. The values include 0 and 1, and no count is 0."""
        seen = {0.0: 0, 1.0: 0} | dict(zip(self.values, self.counts, strict=True))
        values = tuple(sorted(seen))
        return values, tuple(float(seen[value] or _UNSEEN_COUNT) for value in values)


def constant_sample_mean(value: float, blocks: int) -> Estimate:
    """Return the mean of blocks that all had `value`. Its interval allows for unseen blocks with 0 or 1.

    At least 0.05 ** (1 / blocks) of all possible blocks have the value. If this share s were smaller, all
    blocks would have had the value with a probability of s ** blocks, below 5 %. This is the exact form of
    the "rule of three" (Hanley and Lippman-Hand, "If nothing goes wrong, is everything all right?", 1983).
    """
    alike = (1 - CONFIDENCE) ** (1 / blocks) if blocks else 0.0
    return Estimate(value, value * alike, 1 - (1 - value) * alike)


_REACH = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


def score_of_elo(elo: float) -> float:
    """Return the score, from 0 to 1, that corresponds to a Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_score(score: float) -> float:
    """Return the Elo difference of a score from 0 to 1. It is infinite for a score of 0 or 1.

    >>> round(elo_of_score(10 / 11))
    400
    """
    if not 0 < score < 1:
        return inf if score >= 1 else -inf
    return 400 * log10(score / (1 - score))


def points(tally: BlockTally) -> Estimate:
    """Return the mean points of a block, from 0 to 1."""
    if not tally.varies:
        return constant_sample_mean(tally.mean, tally.blocks)
    margin = _REACH * sqrt(tally.variance / tally.blocks)
    return Estimate(tally.mean, max(0.0, tally.mean - margin), min(1.0, tally.mean + margin))


def elo_difference(tally: BlockTally) -> Estimate:
    """Return the Elo difference to the opponents. Without blocks it is 0, with an infinite interval."""
    known = points(tally)
    return Estimate(elo_of_score(known.value), elo_of_score(known.low), elo_of_score(known.high))


def superiority(tally: BlockTally) -> float:
    """Return the likelihood of superiority (LOS): that the entrant is stronger, from 0 to 1."""
    if tally.varies:
        return NormalDist().cdf((tally.mean - 0.5) / sqrt(tally.variance / tally.blocks))
    if tally.mean == 0.5:
        return 0.5
    # The posterior of a uniform prior after n wins in n games equals the probability of n + 1 coin tosses.
    doubt = 0.5 ** (tally.blocks + 1)
    return 1 - doubt if tally.mean > 0.5 else doubt
