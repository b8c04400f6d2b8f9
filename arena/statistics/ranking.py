"""Matches of three entrants and more: each entrant is compared with the mean and with the others.

The entrants of a block share food and starts, so the tests use their difference in each block: Student's
t-test of paired samples, "The probable error of a mean" (1908). A block is given as the points of every
entrant, from 0 to 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from statistics import fmean, stdev

from scipy.special import stdtr, stdtrit

from arena.statistics.elo import DECIMALS, constant_sample_mean
from battlesnake_search.common.estimation import CONFIDENCE, Estimate


@dataclass(frozen=True)
class EntrantResult:
    """The result of an entrant."""

    points: Estimate
    """The entrant's mean points of a block. Without blocks they are 1/2, with an interval from 0 to 1."""
    p_value: float
    """The probability of at least this distance from the mean of all, if all entrants were alike."""


def entrant_results(entrants: int, blocks: Sequence[Sequence[float]]) -> list[EntrantResult]:
    """Return each entrant's result in the blocks."""
    fields = [fmean(block) for block in blocks]
    table = []
    for entrant in range(entrants):
        points = [block[entrant] for block in blocks]
        distances = [own - field for own, field in zip(points, fields, strict=True)]
        table.append(EntrantResult(mean_points(points), _p_value(distances)))
    return table


def pairwise(entrants: int, blocks: Sequence[Sequence[float]]) -> dict[tuple[int, int], float]:
    """Return the p-value of the difference between each pair of entrants, the lower index first.

    The values are adjusted for the number of pairs: among entrants that are all alike, the chance that any
    value is below 0.05 is at most 0.05. S. Holm, "A simple sequentially rejective multiple test procedure"
    (1979).
    """
    pairs = list(combinations(range(entrants), 2))
    values = {(a, b): _p_value([block[a] - block[b] for block in blocks]) for a, b in pairs}
    adjusted, highest = {}, 0.0
    for rank, pair in enumerate(sorted(pairs, key=values.__getitem__)):
        highest = max(highest, min(1.0, values[pair] * (len(pairs) - rank)))
        adjusted[pair] = highest
    return {pair: adjusted[pair] for pair in pairs}


def mean_points(values: Sequence[float]) -> Estimate:
    """Return the mean of the points of blocks, from 0 to 1, or 1/2 before the first block."""
    rounded = [round(value, DECIMALS) for value in values]
    if len(set(rounded)) < 2:
        return constant_sample_mean(rounded[0] if rounded else 0.5, len(rounded))
    mean = fmean(rounded)
    reach = float(stdtrit(len(rounded) - 1, (1 + CONFIDENCE) / 2))
    margin = reach * stdev(rounded) / sqrt(len(rounded))
    return Estimate(mean, max(0.0, mean - margin), min(1.0, mean + margin))


def _p_value(differences: Sequence[float]) -> float:
    """Return the two-sided p-value of differences that are 0 on average if the entrants are alike.

    If the differences don't vary, t would be infinite after two blocks, so the sign test takes its place.
    """
    rounded = [round(difference, DECIMALS) for difference in differences]
    if not any(rounded):
        return 1.0
    if len(set(rounded)) == 1:
        return min(1.0, 2 * 0.5 ** len(rounded))
    t = fmean(rounded) / (stdev(rounded) / sqrt(len(rounded)))
    return 2 * float(stdtr(len(rounded) - 1, -abs(t)))
