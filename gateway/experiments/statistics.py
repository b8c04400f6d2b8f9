"""Statistics of results: the interval of a share, and of the difference between two arms.

A game's score is 1 for a win, 1/2 for a draw, 0 for a loss. SciPy would take longer to import than everything
else that a report does.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from math import fsum, log, sqrt

from estimation.estimate import CONFIDENCE, Estimate

ERROR = 1 - CONFIDENCE

_Z = 1.959963984540054
"""The standard deviations of a normal distribution on either side of its mean that hold CONFIDENCE of it."""

_EXPECTED_DIFFERENCE = 0.1
"""The difference in score that the test finds fastest; it finds all others too."""

_MIN_GAMES = 30
"""The games of each arm before a decision: with fewer, their variance is hardly known."""

_IN_SIGHT = 20_000
"""The most games that a decision may still take to be in sight."""


def share(part: int, total: int) -> Estimate | None:
    """Return the share of a part of the total, with Wilson's interval; None if the total is 0.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference" (1927).
    """
    if not total:
        return None
    value, spread = part / total, _Z**2 / total
    centre = (value + spread / 2) / (1 + spread)
    margin = sqrt(spread * (value * (1 - value) + spread / 4)) / (1 + spread)
    return Estimate(value, max(0.0, centre - margin), min(1.0, centre + margin))


Scores = Mapping[str, Sequence[float]]
"""The scores of an arm's snakes in each of its games, by the game's id."""


def difference(ones: Scores, others: Scores, error: float = ERROR) -> Estimate | None:
    """Return the difference of two arms' mean scores; None if either has no game.

    The interval is always valid: but for this probability of an error, all intervals computed as the games
    come in contain the true difference. So one may look at any time, and stop as soon as 0 is outside. It is
    that of the mixture sequential probability ratio test with the estimated variance of the difference: R.
    Johari, L. Pekelis, D. Walsh, "Always valid inference" (2015). Games must be independent; the snakes of
    one game need not be.
    """
    if not ones or not others:
        return None
    value = _mean(ones) - _mean(others)
    margin = _margin(_variance(ones, others), error)
    return Estimate(value, max(-1.0, value - margin), min(1.0, value + margin))


def decide(ones: Scores, others: Scores, error: float = ERROR) -> int:
    """Return 1 if the first arm is better, -1 if the second one is, 0 while undecided."""
    known = difference(ones, others, error)
    if known is None or min(len(ones), len(others)) < _MIN_GAMES:
        return 0
    return (known.low > 0) - (known.high < 0)


def games_missing(ones: Scores, others: Scores, error: float = ERROR) -> int | None:
    """Return how many games a decision will still take if they go on as so far; None if it is not in sight.

    The difference and the arms' shares of the games are taken as they are, and the variance as falling with
    the number of games.
    """
    if not ones or not others:
        return None
    games, fewest = len({*ones, *others}), min(len(ones), len(others))
    value, variance = abs(_mean(ones) - _mean(others)), _variance(ones, others)

    def decides(missing: int) -> bool:
        growth = 1 + missing / games
        return fewest * growth >= _MIN_GAMES and _margin(variance / growth, error) < value

    if not decides(_IN_SIGHT):
        return None
    return bisect_left(range(_IN_SIGHT), True, key=decides)


def _margin(variance: float, error: float) -> float:
    """Return half the length of the always valid interval of a difference with this variance."""
    mixed = _EXPECTED_DIFFERENCE**2
    return sqrt(variance * (variance + mixed) / mixed * log((variance + mixed) / (variance * error**2)))


def _mean(games: Scores) -> float:
    return fsum(map(fsum, games.values())) / _snakes(games)


def _snakes(games: Scores) -> int:
    return sum(map(len, games.values()))


def _variance(ones: Scores, others: Scores) -> float:
    """Return the variance of the difference of means: the sum of the squares of each game's part in it.

    One more win and one more loss are added for each arm, so equal results have a variance too.
    """
    parts = dict.fromkeys([*ones, *others], 0.0)
    spread = 0.0
    for games, sign in ((ones, 1), (others, -1)):
        mean, snakes = _mean(games), _snakes(games)
        spread += 2 * 0.5**2 / snakes**2
        for game, scores in games.items():
            parts[game] += sign * fsum(score - mean for score in scores) / snakes
    return spread + fsum(part**2 for part in parts.values())
