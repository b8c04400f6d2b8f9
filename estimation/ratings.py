"""Ratings of players in games of any size, by openskill.

The Plackett-Luce model of R. C. Weng and C.-J. Lin, "A Bayesian approximation method for online ranking"
(2011).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from openskill.models import PlackettLuce, PlackettLuceRating

_Player = TypeVar("_Player")

_MODEL = PlackettLuce(tau=0.0)
"""Skills stay the same from game to game, so time adds nothing to their uncertainty (openskill's tau)."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's skill: the mean and the standard deviation of the belief about it."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """A lower bound of the skill, three standard deviations below the mean: tables sort by it."""
        return self.mu - 3 * self.sigma


UNRATED = Rating(_MODEL.mu, _MODEL.sigma)
"""The rating of a player before the first game: 25 and 25/3."""


def rate(games: Iterable[Mapping[_Player, int]]) -> dict[_Player, Rating]:
    """Return the ratings of all players after the games, in the order of the games.

    A game gives the rank of each of its players; a lower rank is better, and equal ranks are a draw. A game
    of fewer than two players changes nothing.
    """
    table: dict[_Player, PlackettLuceRating] = {}
    for game in games:
        if len(game) > 1:
            teams = [[table.get(player) or _MODEL.rating()] for player in game]
            rated = _MODEL.rate(teams, ranks=[float(rank) for rank in game.values()])
            table |= {player: rating for player, [rating] in zip(game, rated, strict=True)}
    return {player: Rating(rating.mu, rating.sigma) for player, rating in table.items()}
