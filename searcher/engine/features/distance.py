"""Distances, and which snakes are too far apart to affect each other within the horizon of a search."""

from typing import Any

from numba import njit

SLACK = 3
"""Steps added to those that two snakes can make towards each other: their areas meet before they do."""


@njit
def distance(game: Any, here: int, there: int) -> int:
    """Return the steps between two cells of an empty board."""
    across = abs(game.column[here] - game.column[there])
    along = abs(game.row[here] - game.row[there])
    if game.wrapped:
        across, along = min(across, game.width - across), min(along, game.height - along)
    return across + along


@njit
def is_far(game: Any, board: Any, snake: int, other: int, turns: int) -> bool:
    """Return whether two snakes are too far apart to affect each other within so many turns."""
    return distance(game, board.head[snake], board.head[other]) > 2 * turns + SLACK
