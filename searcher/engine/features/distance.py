"""Distances, the nearest food, and which snakes are too far apart to affect each other within a horizon."""

from typing import Any

from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit

SLACK = 3
"""Steps added to those that two snakes can make towards each other: their areas meet before they do."""

NO_FOOD = -1
"""In place of a cell: there is no food on the board."""


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


@njit
def nearest_food(game: Any, board: Any, head: int) -> int:
    """Return the food nearest to a cell on an empty board, the lowest of several; NO_FOOD without any."""
    left = cells.load(board, "food")
    nothing = left ^ left
    best, least = NO_FOOD, 0
    while left != nothing:
        cell = cells.first(left)
        left ^= cells.one(board, "food", cell)
        steps = distance(game, head, cell)
        if best == NO_FOOD or steps < least:
            best, least = cell, steps
    return best
