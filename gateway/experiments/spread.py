"""A mean over the moves of many games, and how much it differs from game to game."""

from collections.abc import Iterable
from math import fsum

import msgspec

_TENTH = 0.1


class Spread(msgspec.Struct, frozen=True):
    """The mean over all moves; four games in five have a mean from `low` to `high`."""

    mean: float
    low: float
    high: float


def spread(games: Iterable[tuple[float | None, int]]) -> Spread | None:
    """Return the spread of games with a known mean, each with its number of moves; None without any."""
    known = [(mean, moves) for mean, moves in games if mean is not None and moves]
    if not known:
        return None
    means = sorted(mean for mean, _ in known)
    tenth = int(len(means) * _TENTH)
    total = fsum(mean * moves for mean, moves in known)
    return Spread(total / sum(moves for _, moves in known), means[tenth], means[-1 - tenth])
