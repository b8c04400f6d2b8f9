"""Ratings of arms that may never have met: by openskill, from games against others.

The Plackett-Luce model of R. C. Weng and C.-J. Lin, "A Bayesian approximation method for online ranking"
(2011).

An arm that was alone in a game played the field, one opponent for each number of opponents: a stranger to
every arm alike. Where arms met, their places count.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce, PlackettLuceRating

from gateway.outcomes.record import Result

_STANDING = {"win": 0, "draw": 1, "loss": 2}
_FIELD = 1


@dataclass(frozen=True, slots=True)
class Played:
    """What an arm's snake got in a game with so many opponents."""

    arm: str
    result: Result
    place: int | None
    opponents: int


@dataclass(frozen=True, slots=True)
class Rating:
    """An arm's skill: mean and standard deviation of what is believed of it; 25 and 25/3 at first."""

    mu: float
    sigma: float


def ratings(games: Iterable[Sequence[Played]]) -> dict[str, Rating]:
    """By arm, after the games in their order. A game holds what each of our snakes got in it."""
    model = PlackettLuce(tau=0.0)
    table: dict[str | int, PlackettLuceRating] = {}
    for game in games:
        standings = _standings(game)
        if len(standings) > 1:
            players = [table.get(name) or model.rating() for name in standings]
            ranks = [float(rank) for rank in standings.values()]
            rated = model.rate([[player] for player in players], ranks=ranks)
            table |= {name: team[0] for name, team in zip(standings, rated, strict=True)}
    arms = (name for name in table if isinstance(name, str))
    return {arm: Rating(table[arm].mu, table[arm].sigma) for arm in arms}


def _standings(game: Sequence[Played]) -> Mapping[str | int, int]:
    """Who played and where each came in, the lower the better; the field under its number of snakes."""
    places: dict[str | int, int] = {}
    for played in game:
        # Whoever lost without a known place came in behind all that have one.
        place = played.place or 1 + played.opponents
        places[played.arm] = min(place, places.get(played.arm, place))
    if len(places) > 1:
        return places
    field = game[0].opponents + 1 - len(game)
    if field < 1:
        return {}
    return {game[0].arm: min(_STANDING[played.result] for played in game), field: _FIELD}
