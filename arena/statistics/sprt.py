"""The sequential test of two hypotheses: an entrant is stronger by elo1, or it is stronger only by elo0.

It is the generalized sequential probability ratio test: Wald's test on the likelihood ratio of the likeliest
distributions under the two hypotheses. These distributions need not be known beforehand. Sources:
docs/arena-statistics.md.

The likeliest distribution of block values under a condition depends on how often each value was seen. The
formula is by M. Van den Bergh, "Comments on Normalized Elo"
(https://www.cantate.be/Fishtest/normalized_elo_practical.pdf), proposition 1.1. Distributions are given as
values and shares. Values ascend from 0 to 1. Shares sum to 1 and are all above 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import expm1, fsum, log
from typing import Literal

from arena.statistics.elo import BlockTally, score_of_elo

_ZERO_TOLERANCE = 1e-13
"""A sum counts as 0 up to this share of max(slopes) - min(slopes), because of rounding errors."""

SprtDecision = Literal["accepted", "rejected", "undecided"]
"""The decision is accepted for elo1 or more, and rejected for elo0 or less."""

FARTHEST = 1000
"""The largest difference that a hypothesis may state, in Elo."""


@dataclass(frozen=True)
class Prospects:
    """The expectation of a test: its probability of accepting, and the mean number of games that it takes."""

    acceptance: float
    games: float


@dataclass(frozen=True)
class Sprt:
    """A test of elo1 against elo0. Raises ValueError for invalid hypotheses."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The probability of accepting although elo0 is true."""
    beta: float = 0.05
    """The probability of rejecting although elo1 is true."""

    def __post_init__(self) -> None:
        if not -FARTHEST <= self.elo0 < self.elo1 <= FARTHEST:
            raise ValueError(
                f"elo0 must be below elo1, both from -{FARTHEST} to {FARTHEST}:"
                f" not {self.elo0:g} and {self.elo1:g}"
            )

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which to reject."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which to accept."""
        return log((1 - self.beta) / self.alpha)

    def log_likelihood_ratio(self, tally: BlockTally) -> float:
        """Return the natural logarithm of the likelihood ratio of elo1 to elo0, given the blocks seen."""
        values, counts = tally.regularized()
        total = fsum(counts)
        steps = self._steps(values, [count / total for count in counts])
        return fsum(count * step for count, step in zip(counts, steps, strict=True))

    def decision(self, tally: BlockTally) -> SprtDecision:
        """Return the decision of the test after these blocks."""
        ratio = self.log_likelihood_ratio(tally)
        return "accepted" if ratio >= self.upper else "rejected" if ratio <= self.lower else "undecided"

    def prospects(self, tally: BlockTally, elo: float | None = None) -> Prospects:
        """Return the expectation of a test from its start, if results are distributed like the past results.

        With `elo`, results follow the likeliest distribution with this difference, given the past results.
        The ratio is approximated by a Brownian motion, as in Wald, so its overshoot of a bound is neglected.
        """
        values, counts = tally.regularized()
        total = fsum(counts)
        shares = [count / total for count in counts]
        if elo is not None:
            shares = with_mean(values, shares, score_of_elo(elo))
        steps = self._steps(values, shares)
        drift = fsum(share * step for share, step in zip(shares, steps, strict=True))
        variance = fsum(share * (step - drift) ** 2 for share, step in zip(shares, steps, strict=True))
        acceptance, blocks = _crossing(drift, variance, self.lower, self.upper)
        return Prospects(acceptance, tally.games * blocks)

    def _steps(self, values: Sequence[float], shares: Sequence[float]) -> list[float]:
        """Return the change of the log-likelihood ratio by a block of each value: log(share1 / share0)."""
        under0 = with_mean(values, shares, score_of_elo(self.elo0))
        under1 = with_mean(values, shares, score_of_elo(self.elo1))
        return [log(one / zero) for zero, one in zip(under0, under1, strict=True)]


def _crossing(drift: float, variance: float, lower: float, upper: float) -> tuple[float, float]:
    """Return the probability that a Brownian motion from 0 exits at the upper bound, and its mean exit time.

    A. Wald, "Sequential Analysis" (1947), chapter 3; D. Siegmund, "Sequential Analysis" (1985), chapter 3.
    """
    width, pull = upper - lower, 2 * drift / variance
    if abs(pull) * width < 1e-6:
        return -lower / width, -lower * upper / variance
    if pull > 0:
        chance = expm1(pull * lower) / expm1(-pull * width)
    else:
        chance = 1 - expm1(pull * upper) / expm1(pull * width)
    return chance, (chance * upper + (1 - chance) * lower) / drift


def with_mean(values: Sequence[float], shares: Sequence[float], mean: float) -> list[float]:
    """Return the likeliest shares p with sum(p * values) = mean, given the seen shares. 0 < mean < 1."""
    return _tilted(shares, [value - mean for value in values])


def _tilted(shares: Sequence[float], slopes: Sequence[float]) -> list[float]:
    """Return the likeliest shares p with sum(p * slopes) = 0, given the seen shares.

    Some slopes must be positive and some negative. The result is p = shares / (1 + x * slopes), with the x
    that makes the sum 0. If sum(shares * slopes) > 0, then 0 < x < -1 / min(slopes). The search finds
    -1 / min(slopes) - x instead of x, because this difference may be tiny.
    """
    least, most = min(slopes), max(slopes)
    lean = fsum(share * slope for share, slope in zip(shares, slopes, strict=True))
    if abs(lean) <= _ZERO_TOLERANCE * (most - least):
        return list(shares)
    if lean < 0:
        return _tilted(shares, [-slope for slope in slopes])
    room = [1 - slope / least for slope in slopes]

    def sum_at(distance: float) -> float:
        return fsum(
            share * slope / (rest - distance * slope)
            for share, slope, rest in zip(shares, slopes, room, strict=True)
        )

    # Import it here, because the help of every command of the arena imports this module.
    from scipy.optimize import brentq

    nearest = shares[slopes.index(least)] / (2 * most)
    distance = brentq(sum_at, nearest, -1 / least, xtol=1e-300, rtol=1e-14, maxiter=1000)
    return [
        share / (rest - distance * slope) for share, slope, rest in zip(shares, slopes, room, strict=True)
    ]
