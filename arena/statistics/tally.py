"""The counts that statistics are computed from: how often each block value came up for one entrant.

The games of a block share food and starts, so they depend on each other, while blocks are independent. The
block of a duel is a pair of games, whose five values make the counts pentanomial.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum

PAIRS = ("LL", "LD", "WL/DD", "WD", "WW")
"""The results of a pair of games, from two losses to two wins."""

_PAIR_VALUES = (0.0, 0.25, 0.5, 0.75, 1.0)
_GAME_VALUES = (0.0, 0.5, 1.0)
_UNSEEN_COUNT = 1e-3
"""The count of a value that never came up, as in Fishtest and fastchess."""
_DECIMALS = 9
"""The decimals that values are rounded to before they are compared: a mean of thirds is not exact."""


@dataclass(frozen=True)
class Tally:
    """Counts of block values. The values ascend and are from 0 to 1; some counts may be 0."""

    values: tuple[float, ...]
    counts: tuple[int, ...]
    games: int
    """The number of games in a block."""

    def __post_init__(self) -> None:
        if any(count < 0 for count in self.counts):
            raise ValueError(f"counts must not be negative: {' '.join(map(str, self.counts))}")
        if any(not 0 <= value <= 1 for value in self.values):
            raise ValueError(f"values of blocks must be from 0 to 1: {' '.join(map(str, self.values))}")

    @classmethod
    def of_blocks(cls, points: Iterable[float], games: int) -> "Tally":
        """Count an entrant's points in blocks of this number of games."""
        seen = Counter(round(value, _DECIMALS) for value in points)
        return cls(tuple(sorted(seen)), tuple(seen[value] for value in sorted(seen)), games)

    @classmethod
    def of_pairs(cls, points: Iterable[float]) -> "Tally":
        """Count an entrant's points in the pairs of a duel. Raises ValueError for an impossible value."""
        seen = Counter(points)
        if strange := seen.keys() - set(_PAIR_VALUES):
            raise ValueError(f"a pair is worth 0, 0.25, 0.5, 0.75 or 1 point, not {min(strange)}")
        return cls.pentanomial([seen[value] for value in _PAIR_VALUES])

    @classmethod
    def pentanomial(cls, counts: Sequence[int]) -> "Tally":
        """Return the tally of the five counts of pairs, in the order of `PAIRS`."""
        return cls(_PAIR_VALUES, tuple(counts), 2)

    @classmethod
    def trinomial(cls, wins: int, draws: int, losses: int) -> "Tally":
        """Return the tally of single games, as if they were independent of each other."""
        return cls(_GAME_VALUES, (losses, draws, wins), 1)

    @property
    def blocks(self) -> int:
        """The number of blocks counted."""
        return sum(self.counts)

    @property
    def varies(self) -> bool:
        """Whether more than one value came up; otherwise the variance is unknown."""
        return sum(count > 0 for count in self.counts) > 1

    @property
    def mean(self) -> float:
        """The mean points of a block; 1/2 before the first block."""
        pairs = zip(self.values, self.counts, strict=True)
        return fsum(value * count for value, count in pairs) / self.blocks if self.blocks else 0.5

    @property
    def variance(self) -> float:
        """The mean squared distance of a block's points from their mean."""
        mean = self.mean
        pairs = zip(self.values, self.counts, strict=True)
        return fsum(count * (value - mean) ** 2 for value, count in pairs) / max(self.blocks, 1)

    def regularized(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return values and counts for likelihoods: 0 and 1 are among the values, and no count is 0."""
        seen = {0.0: 0, 1.0: 0} | dict(zip(self.values, self.counts, strict=True))
        values = tuple(sorted(seen))
        return values, tuple(float(seen[value] or _UNSEEN_COUNT) for value in values)
