"""One table for entrants of any number of games and opponents: ratings by openskill.

The Plackett-Luce model of R. C. Weng and C.-J. Lin, "A Bayesian approximation method for online ranking"
(2011).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from openskill.models import PlackettLuce


@dataclass(frozen=True)
class Rating:
    """An entrant's skill: mean and standard deviation of what is believed of it; 25 and 25/3 at first."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """What the skill is at least, almost surely: the number to sort a table by."""
        return self.mu - 3 * self.sigma


def ratings(entrants: int, games: Iterable[Mapping[int, float]]) -> list[Rating]:
    """By entrant, after the games in their order. A game gives points by entrant: who has more ranks higher.

    Entrants that a game does not name did not play it. What they are stays the same from game to game, so
    nothing is added to their uncertainty with time (openskill's tau is 0).
    """
    model = PlackettLuce(tau=0.0)
    table = [model.rating() for _ in range(entrants)]
    for game in games:
        if len(game) > 1:
            # openskill cuts ranks to whole numbers, so they have to be whole already.
            best_first = sorted(set(game.values()), reverse=True)
            ranks = [float(best_first.index(points)) for points in game.values()]
            rated = model.rate([[table[entrant]] for entrant in game], ranks=ranks)
            for entrant, [rating] in zip(game, rated, strict=True):
                table[entrant] = rating
    return [Rating(rating.mu, rating.sigma) for rating in table]
