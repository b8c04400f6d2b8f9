"""How sure a share is, and a difference between two arms: pure functions of results.

A game's score is 1 for a win, 1/2 for a draw, 0 for a loss.
"""

from collections.abc import Mapping, Sequence
from math import fsum, log, sqrt

from scipy.stats import binomtest

from estimation.estimate import CONFIDENCE, Estimate

_ERROR = 1 - CONFIDENCE

_EXPECTED = 0.1
"""The difference in score that the test is quickest to find; it finds all others too."""

_FEWEST = 30
"""Games of either arm before a verdict: below, their variance is hardly known."""


def share(part: int, total: int) -> Estimate | None:
    """The share of a part, with Wilson's interval; None of nothing.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference" (1927).
    """
    if not total:
        return None
    interval = binomtest(part, total).proportion_ci(CONFIDENCE, method="wilson")
    return Estimate(part / total, float(interval.low), float(interval.high))


Scores = Mapping[str, Sequence[float]]
"""The scores of an arm's snakes in each of its games, by the game's id."""


def difference(ones: Scores, others: Scores) -> Estimate | None:
    """By how much one arm's mean score is above another's; None if either has no game.

    The interval is always valid: with 95 % confidence all those that are seen while the games come in hold
    the true difference, so one may look at any time, and stop as soon as 0 is outside. It is what the mixture
    sequential probability ratio test leaves, with the variance of the difference as estimated: R. Johari,
    L. Pekelis, D. Walsh, "Always valid inference" (2015). Games must be independent, but the snakes of one
    game need not be.
    """
    if not ones or not others:
        return None
    value = _mean(ones) - _mean(others)
    variance, mixed = _variance(ones, others), _EXPECTED**2
    margin = sqrt(variance * (variance + mixed) / mixed * log((variance + mixed) / (variance * _ERROR**2)))
    return Estimate(value, max(-1.0, value - margin), min(1.0, value + margin))


def leader(ones: Scores, others: Scores) -> int:
    """1 if the first arm is better, -1 if the second one is, 0 while undecided."""
    known = difference(ones, others)
    if known is None or min(len(ones), len(others)) < _FEWEST:
        return 0
    return (known.low > 0) - (known.high < 0)


def _mean(games: Scores) -> float:
    return fsum(map(fsum, games.values())) / _snakes(games)


def _snakes(games: Scores) -> int:
    return sum(map(len, games.values()))


def _variance(ones: Scores, others: Scores) -> float:
    """Of the difference of means: the sum over games of the square of what each adds to the difference.

    As if each arm had won one game more and lost one more: results that are all alike have a variance too.
    """
    parts = dict.fromkeys([*ones, *others], 0.0)
    spread = 0.0
    for games, sign in ((ones, 1), (others, -1)):
        mean, snakes = _mean(games), _snakes(games)
        spread += 2 * 0.5**2 / snakes**2
        for game, scores in games.items():
            parts[game] += sign * fsum(score - mean for score in scores) / snakes
    return spread + fsum(part**2 for part in parts.values())
