"""The most likely distribution of block values under a condition, given how often each one was seen.

M. Van den Bergh, "Comments on Normalized Elo" (https://www.cantate.be/Fishtest/normalized_elo_practical.pdf):
proposition 1.1 for a given mean, section 4.1 for a given t-value. Works for any discrete distribution.
Distributions are given as values, ascending from 0 to 1, and shares, none of them 0, which sum to 1.
"""

from collections.abc import Sequence
from math import fsum, sqrt

from scipy.optimize import brentq

_ITERATIONS = 200
_PRECISE = 1e-12
_EVEN = 1e-13
"""What a sum may be off by, for the size of its slopes, and still count as 0."""


def with_mean(values: Sequence[float], shares: Sequence[float], mean: float) -> list[float]:
    """The shares that most likely gave those seen, if the true mean is `mean`, which is between 0 and 1."""
    return _tilted(shares, [value - mean for value in values])


def with_t(values: Sequence[float], shares: Sequence[float], t: float) -> list[float]:
    """The shares that most likely gave those seen, if the true mean is 1/2 + t standard deviations.

    The condition is made linear around the last answer, again and again. The first one is around shares of 0
    and 1 alone that fulfil it: from there each step has a solution, whatever t is.
    """
    mean, deviation = 0.5 + t / (2 * sqrt(1 + t * t)), 1 / (2 * sqrt(1 + t * t))
    for _ in range(_ITERATIONS):
        slopes = [value - 0.5 - t / 2 * (deviation + (value - mean) ** 2 / deviation) for value in values]
        answer = _tilted(shares, slopes)
        before = mean, deviation
        mean = _dot(answer, values)
        deviation = sqrt(_dot(answer, [(value - mean) ** 2 for value in values]))
        if abs(mean - before[0]) + abs(deviation - before[1]) < _PRECISE:
            break
    return answer


def _tilted(shares: Sequence[float], slopes: Sequence[float]) -> list[float]:
    """The shares p nearest to those given for which the sum of p * slopes is 0; slopes have both signs.

    They are share / (1 + x * slope), with x so that the sum is 0. Where the sum starts positive, x is between
    0 and -1 / min(slopes); what is looked for is its distance from there, since that may be minute.
    """
    least, most = min(slopes), max(slopes)
    lean = _dot(shares, slopes)
    if abs(lean) <= _EVEN * (most - least):
        return list(shares)
    if lean < 0:
        return _tilted(shares, [-slope for slope in slopes])
    room = [1 - slope / least for slope in slopes]

    def sum_at(distance: float) -> float:
        return fsum(
            share * slope / (rest - distance * slope)
            for share, slope, rest in zip(shares, slopes, room, strict=True)
        )

    nearest = shares[slopes.index(least)] / (2 * most)
    distance = brentq(sum_at, nearest, -1 / least, xtol=1e-300, rtol=1e-14, maxiter=1000)
    return [
        share / (rest - distance * slope) for share, slope, rest in zip(shares, slopes, room, strict=True)
    ]


def _dot(ones: Sequence[float], others: Sequence[float]) -> float:
    return fsum(one * other for one, other in zip(ones, others, strict=True))
