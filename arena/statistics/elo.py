"""How much stronger an entrant is, in Elo, and how sure that is.

Logistic Elo is a mean score on the scale where 10 to 1 is 400 points. Normalized Elo is the mean's distance
from 1/2 in standard deviations of a game, so it tells how many games it takes to see it; near 1/2 and without
draws both are the same. Their intervals come from the variance between blocks, which knows how the games of
a block depend on each other. Sources: docs/arena-statistics.md.
"""

from math import inf, log, log10, sqrt
from statistics import NormalDist

from arena.statistics.constant_sample import constant_sample_mean, least_alike_share, sign_probability
from arena.statistics.tally import Tally
from estimation.estimate import CONFIDENCE, Estimate

NORMALIZED_SCALE = 800 / log(10)
"""Normalized Elo of a mean that is one standard deviation of a game away from 1/2."""

_REACH = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


def score_of_elo(elo: float) -> float:
    """The score, from 0 to 1, that a logistic Elo difference stands for."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_score(score: float) -> float:
    """The logistic Elo difference of a score from 0 to 1, whose ends are infinitely far away.

    >>> round(elo_of_score(10 / 11))
    400
    """
    if not 0 < score < 1:
        return inf if score >= 1 else -inf
    return 400 * log10(score / (1 - score))


def points(tally: Tally) -> Estimate:
    """The mean points of a block, from 0 to 1."""
    if not tally.varies:
        return constant_sample_mean(tally.mean, tally.blocks)
    margin = _REACH * sqrt(tally.variance / tally.blocks)
    return Estimate(tally.mean, max(0.0, tally.mean - margin), min(1.0, tally.mean + margin))


def logistic_elo(tally: Tally) -> Estimate:
    """The Elo difference to the opponents; 0 between infinite ends when nothing was counted."""
    known = points(tally)
    return Estimate(elo_of_score(known.value), elo_of_score(known.low), elo_of_score(known.high))


def normalized_elo(tally: Tally) -> Estimate:
    """The normalized Elo difference to the opponents, of games (not of blocks)."""
    if not tally.varies:
        return _unvaried_normalized_elo(tally)
    value = NORMALIZED_SCALE * (tally.mean - 0.5) / sqrt(tally.games * tally.variance)
    margin = NORMALIZED_SCALE * _REACH / sqrt(tally.games * tally.blocks)
    return Estimate(value, value - margin, value + margin)


def _unvaried_normalized_elo(tally: Tally) -> Estimate:
    scale = NORMALIZED_SCALE / sqrt(tally.games)
    low = scale * _lowest_t(tally.mean, tally.blocks)
    high = -scale * _lowest_t(1 - tally.mean, tally.blocks)
    value = 0.0 if tally.mean == 0.5 else inf if tally.mean > 0.5 else -inf
    return Estimate(value, low, high)


def _lowest_t(value: float, blocks: int) -> float:
    """The mean's least distance from 1/2, in standard deviations, when all blocks seen were worth `value`.

    Below 1/2 nothing bounds it; above, the worst is that all blocks unlike those seen are worth 0.
    """
    if value < 0.5 or not blocks:
        return -inf
    alike = least_alike_share(blocks)
    return (alike * value - 0.5) / (value * sqrt(alike * (1 - alike)))


def superiority(tally: Tally) -> float:
    """The likelihood that the entrant is stronger than its opponents (LOS), from 0 to 1."""
    if tally.varies:
        return NormalDist().cdf((tally.mean - 0.5) / sqrt(tally.variance / tally.blocks))
    if tally.mean == 0.5:
        return 0.5
    # What n wins in n games leave of a uniform prior: the chance of one more that is not a coin's.
    doubt = sign_probability(tally.blocks + 1)
    return 1 - doubt if tally.mean > 0.5 else doubt
