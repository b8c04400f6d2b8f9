"""The maximum-likelihood distribution of block values under a condition, given how often each was seen.

M. Van den Bergh, "Comments on Normalized Elo" (https://www.cantate.be/Fishtest/normalized_elo_practical.pdf):
proposition 1.1 for a given mean, section 4.1 for a given t-value. The method works for any discrete
distribution. Distributions are given as values, ascending from 0 to 1, and as shares, which sum to 1 and are
all above 0.
"""

from collections.abc import Sequence
from math import fsum, sqrt

_ITERATIONS = 200
_TOLERANCE = 1e-12
"""The change of mean and deviation at which the iteration has converged."""
_ZERO_TOLERANCE = 1e-13
"""The rounding error of a sum, relative to the range of its slopes, that counts as 0."""


def with_mean(values: Sequence[float], shares: Sequence[float], mean: float) -> list[float]:
    """Return the likeliest shares, given those seen, with the mean `mean`, which is between 0 and 1."""
    return _tilted(shares, [value - mean for value in values])


def with_t(values: Sequence[float], shares: Sequence[float], t: float) -> list[float]:
    """Return the likeliest shares, given those seen, with a mean of 1/2 + t standard deviations.

    The condition is linearized around the last solution until the solution converges. The iteration starts
    from shares of 0 and 1 alone that satisfy the condition: from there each step has a solution for any t.
    """
    mean, deviation = 0.5 + t / (2 * sqrt(1 + t * t)), 1 / (2 * sqrt(1 + t * t))
    for _ in range(_ITERATIONS):
        slopes = [value - 0.5 - t / 2 * (deviation + (value - mean) ** 2 / deviation) for value in values]
        solution = _tilted(shares, slopes)
        before = mean, deviation
        mean = _dot(solution, values)
        deviation = sqrt(_dot(solution, [(value - mean) ** 2 for value in values]))
        if abs(mean - before[0]) + abs(deviation - before[1]) < _TOLERANCE:
            break
    return solution


def _tilted(shares: Sequence[float], slopes: Sequence[float]) -> list[float]:
    """Return the shares p nearest to those given with a sum of p * slopes of 0; slopes have both signs.

    They are share / (1 + x * slope), with the x that makes the sum 0. Where the sum starts positive, x lies
    between 0 and -1 / min(slopes). The root is searched as a distance from that end, which may be minute.
    """
    least, most = min(slopes), max(slopes)
    lean = _dot(shares, slopes)
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

    # Imported here, since the help of every command of the arena imports this module.
    from scipy.optimize import brentq

    nearest = shares[slopes.index(least)] / (2 * most)
    distance = brentq(sum_at, nearest, -1 / least, xtol=1e-300, rtol=1e-14, maxiter=1000)
    return [
        share / (rest - distance * slope) for share, slope, rest in zip(shares, slopes, room, strict=True)
    ]


def _dot(ones: Sequence[float], others: Sequence[float]) -> float:
    return fsum(one * other for one, other in zip(ones, others, strict=True))
