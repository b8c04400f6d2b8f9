"""Distances on an empty board: to food, to heads, to edges, and between snakes."""

from searcher.engine.features.flood import NOWHERE
from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.rules.board import is_alive
from searcher.engine.rules.records import Board, Game

SLACK = 3
"""The extra steps at which two snakes still affect each other, because their areas meet before the snakes."""

NO_FOOD = -1
"""This number stands in place of a cell if the board has no food."""


@njit
def distance(game: Game, here: int, there: int) -> int:
    """Return the steps between two cells of an empty board."""
    across = abs(game.column[here] - game.column[there])
    along = abs(game.row[here] - game.row[there])
    if game.wrapped:
        across, along = min(across, game.width - across), min(along, game.height - along)
    return across + along


@njit
def is_far(game: Game, board: Board, snake: int, other: int, turns: int) -> bool:
    """Return whether two snakes are too far apart to affect each other within this number of turns."""
    return distance(game, board.head[snake], board.head[other]) > 2 * turns + SLACK


@njit
def nearest_food(game: Game, board: Board, head: int) -> int:
    """Return the cell of the food nearest to a head, or NO_FOOD without food. Ties go to the lowest cell."""
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


@njit
def nearest_heads(game: Game, board: Board, snake: int) -> tuple[int, int]:
    """Return the steps to the nearest longer or equal opponent's head, and to the nearest shorter one's.

    The steps are on an empty board. Without such an opponent, they are NOWHERE. A longer or equal opponent
    wins or ties a head-to-head collision, and a shorter one loses it.
    """
    strong = weak = NOWHERE
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other):
            steps = distance(game, board.head[snake], board.head[other])
            if board.length[other] >= board.length[snake]:
                strong = min(strong, steps)
            else:
                weak = min(weak, steps)
    return strong, weak


@njit
def edge_distance(game: Game, cell: int) -> int:
    """Return the steps from a cell to the nearest edge: 0 on an edge, NOWHERE on a board without edges."""
    if game.wrapped:
        return NOWHERE
    column, row = int(game.column[cell]), int(game.row[cell])
    return min(min(column, game.width - 1 - column), min(row, game.height - 1 - row))


@njit
def lowest_health(board: Board, snake: int) -> int:
    """Return the lowest health of a living opponent, 0 without opponents."""
    lowest = 0
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other):
            health = int(board.health[other])
            lowest = health if lowest == 0 else min(lowest, health)
    return lowest
