"""Ratings of entrants in games of any number of opponents, by openskill."""

from collections.abc import Iterable, Mapping

from battlesnake_search.common.estimation import UNRATED, Rating, rate


def ratings(entrants: int, games: Iterable[Mapping[int, float]]) -> list[Rating]:
    """Return each entrant's rating after the games, in their order.

    A game gives points by entrant; more points rank higher. An entrant without games stays unrated.
    """
    table = rate(map(_ranks, games))
    return [table.get(entrant, UNRATED) for entrant in range(entrants)]


def _ranks(points: Mapping[int, float]) -> dict[int, int]:
    """Return the rank of each entrant by its points, 0 for the most."""
    best_first = sorted(set(points.values()), reverse=True)
    return {entrant: best_first.index(value) for entrant, value in points.items()}
