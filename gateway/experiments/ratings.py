"""Ratings of arms that may never have met, from their games against strangers.

An arm that was alone in a game played the field, one opponent for each number of opponents: a stranger to
every arm alike. Where arms met, their places count.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from estimation.ratings import Rating, rate
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


def ratings(games: Iterable[Sequence[Played]]) -> dict[str, Rating]:
    """Return the rating of each arm after the games, in their order.

    A game holds the result of each of our snakes in it.
    """
    table = rate(map(_standings, games))
    return {arm: rating for arm, rating in table.items() if isinstance(arm, str)}


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
