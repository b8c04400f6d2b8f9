"""The Elo difference between an entrant and its opponents, with its interval.

Logistic Elo is a mean score on the scale where 10 to 1 is 400 points. Normalized Elo is the mean's distance
from 1/2 in standard deviations of a game, so it determines how many games are needed to detect a difference;
near 1/2 and without draws both are the same. Their intervals come from the variance between blocks, which
includes the dependence between the games of a block. Sources: docs/arena-statistics.md.
"""

from math import inf, log, log10, sqrt
from statistics import NormalDist

from arena.statistics.constant_sample import constant_sample_mean, least_alike_share, sign_probability
from arena.statistics.tally import Tally
from battlesnake_search.common.estimation import CONFIDENCE, Estimate

NORMALIZED_SCALE = 800 / log(10)
"""Normalized Elo of a mean that is one standard deviation of a game away from 1/2."""

_REACH = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


def score_of_elo(elo: float) -> float:
    """Return the score, from 0 to 1, that corresponds to a logistic Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_score(score: float) -> float:
    """Return the logistic Elo difference of a score from 0 to 1; infinite at either end.

    >>> round(elo_of_score(10 / 11))
    400
    """
    if not 0 < score < 1:
        return inf if score >= 1 else -inf
    return 400 * log10(score / (1 - score))


def points(tally: Tally) -> Estimate:
    """Return the mean points of a block, from 0 to 1."""
    if not tally.varies:
        return constant_sample_mean(tally.mean, tally.blocks)
    margin = _REACH * sqrt(tally.variance / tally.blocks)
    return Estimate(tally.mean, max(0.0, tally.mean - margin), min(1.0, tally.mean + margin))


def logistic_elo(tally: Tally) -> Estimate:
    """Return the Elo difference to the opponents; 0 between infinite ends before the first block."""
    known = points(tally)
    return Estimate(elo_of_score(known.value), elo_of_score(known.low), elo_of_score(known.high))


def normalized_elo(tally: Tally) -> Estimate:
    """Return the normalized Elo difference to the opponents, of games rather than blocks."""
    if not tally.varies:
        return _constant_normalized_elo(tally)
    value = NORMALIZED_SCALE * (tally.mean - 0.5) / sqrt(tally.games * tally.variance)
    margin = NORMALIZED_SCALE * _REACH / sqrt(tally.games * tally.blocks)
    return Estimate(value, value - margin, value + margin)


def _constant_normalized_elo(tally: Tally) -> Estimate:
    scale = NORMALIZED_SCALE / sqrt(tally.games)
    low = scale * _lowest_t(tally.mean, tally.blocks)
    high = -scale * _lowest_t(1 - tally.mean, tally.blocks)
    value = 0.0 if tally.mean == 0.5 else inf if tally.mean > 0.5 else -inf
    return Estimate(value, low, high)


def _lowest_t(value: float, blocks: int) -> float:
    """Return the mean's least distance from 1/2, in standard deviations, if every block seen had this value.

    Below 1/2 the distance has no bound. Above, the worst case is that all other blocks are worth 0.
    """
    if value < 0.5 or not blocks:
        return -inf
    alike = least_alike_share(blocks)
    return (alike * value - 0.5) / (value * sqrt(alike * (1 - alike)))


def superiority(tally: Tally) -> float:
    """Return the likelihood of superiority (LOS): that the entrant is stronger, from 0 to 1."""
    if tally.varies:
        return NormalDist().cdf((tally.mean - 0.5) / sqrt(tally.variance / tally.blocks))
    if tally.mean == 0.5:
        return 0.5
    # The posterior of a uniform prior after n wins in n games.
    doubt = sign_probability(tally.blocks + 1)
    return 1 - doubt if tally.mean > 0.5 else doubt
