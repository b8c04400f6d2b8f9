"""Ratings of arms that may never have met, from their games against strangers.

An arm that was alone in a game played against the field: one virtual opponent for each number of opponents,
who stands for the strangers. Arms that met are ranked by their places.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from battlesnake_search.common.estimation import Rating, rate
from gateway.game.values import Result

_RANK = {"win": 0, "draw": 1, "loss": 2}
"""The rank of an arm against the field, by its result; lower is better."""

_FIELD_RANK = 1


@dataclass(frozen=True, slots=True)
class Played:
    """The result of an arm's snake in a game with this number of opponents."""

    arm: str
    result: Result
    place: int | None
    opponents: int


def ratings(games: Iterable[Sequence[Played]]) -> dict[str, Rating]:
    """Return the rating of each arm after the games, in the order of the games.

    A game has the result of each of our snakes in it.
    """
    table = rate(map(_ranks, games))
    return {arm: rating for arm, rating in table.items() if isinstance(arm, str)}


def _ranks(game: Sequence[Played]) -> Mapping[str | int, int]:
    """Return the rank of each player, lower is better; the field's key is its number of snakes."""
    places: dict[str | int, int] = {}
    for played in game:
        # A loss without a known place ranks below every known place.
        place = played.place or 1 + played.opponents
        places[played.arm] = min(place, places.get(played.arm, place))
    if len(places) > 1:
        return places
    field = game[0].opponents + 1 - len(game)
    if field < 1:
        return {}
    return {game[0].arm: min(_RANK[played.result] for played in game), field: _FIELD_RANK}
