"""Estimates with confidence intervals, rounding, expected delays, and ratings of players by openskill.

The rating is the Plackett-Luce model of R. C. Weng and C.-J. Lin, "A Bayesian approximation method for online
ranking" (2011).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from math import inf, isfinite
from typing import TypeVar


def fixed(value: float, digits: int = 0) -> str:
    """Return a finite number with this many digits after the point. A half is rounded away from 0.

    Browsers round in this way. Python's format rounds a half to the even digit.
    """
    return f"{Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP):zf}"


def percent(share: float, digits: int = 0) -> str:
    """Return a share in per cent, rounded by `fixed`."""
    return f"{fixed(share * 100, digits)} %"


CONFIDENCE = 0.95
"""The confidence level of every interval."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and the ends of its 95 % confidence interval. All three may be infinite."""

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the length of the interval; infinite if an end is."""
        return (self.high - self.low) / 2 if isfinite(self.low) and isfinite(self.high) else inf

    def __str__(self) -> str:
        if isfinite(self.margin):
            return f"{self.value:+z.2f} ± {self.margin:.2f}"
        return self.without_margin(lambda number: f"{number:+z.2f}")

    def without_margin(self, text_of: Callable[[float], str]) -> str:
        """Return, in words, an estimate with an infinite end. `text_of` formats finite numbers."""
        if not isfinite(self.value) and self.low <= 0 <= self.high:
            # "More than -500" would say nothing.
            return "unknown: too few results"
        if isfinite(self.low):
            bound, missing = f"more than {text_of(self.low)}", "no upper bound"
        elif isfinite(self.high):
            bound, missing = f"less than {text_of(self.high)}", "no lower bound"
        else:
            return f"{text_of(self.value)} (no bounds yet)"
        return f"{text_of(self.value)} ({bound})" if isfinite(self.value) else f"{bound} ({missing})"


_FALL = 0.05
"""The share of the difference to a lower measurement by which an expected delay falls. It is small, because a
late answer costs a move."""


def expected_delay(delay: float, measured: float) -> float:
    """Return the delay to expect after one more measurement. It rises immediately and falls slowly."""
    return max(measured, delay + (measured - delay) * _FALL)


_Player = TypeVar("_Player")


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's skill: the mean and the standard deviation of the belief about it."""

    mu: float
    sigma: float

    def __str__(self) -> str:
        """Return the mean with two standard deviations."""
        return f"{self.mu:.1f} ± {2 * self.sigma:.1f}"


UNRATED = Rating(25.0, 25 / 3)
"""The rating of a player before the first game."""


def rate(games: Iterable[Mapping[_Player, int]]) -> dict[_Player, Rating]:
    """Return the ratings of all players after these games, played in this order.

    A game has the rank of each player. A lower rank is better, and equal ranks are a draw. A game of fewer
    than two players is ignored.
    """
    # Estimates alone do not need this import.
    from openskill.models import PlackettLuce, PlackettLuceRating

    # Skills stay the same from game to game, so time adds nothing to their uncertainty (tau).
    model = PlackettLuce(mu=UNRATED.mu, sigma=UNRATED.sigma, tau=0.0)
    table: dict[_Player, PlackettLuceRating] = {}
    for game in games:
        if len(game) > 1:
            teams = [[table.get(player) or model.rating()] for player in game]
            rated = model.rate(teams, ranks=[float(rank) for rank in game.values()])
            table |= {player: rating for player, [rating] in zip(game, rated, strict=True)}
    return {player: Rating(rating.mu, rating.sigma) for player, rating in table.items()}
