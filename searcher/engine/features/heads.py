"""Where the heads are: how near to those of opponents, and how near to the edge of the board."""

from typing import Any

from searcher.engine.features.distance import distance
from searcher.engine.features.flood import NOWHERE
from searcher.engine.jit.decorator import njit
from searcher.engine.rules.board import is_alive


@njit
def nearest_heads(game: Any, board: Any, snake: int) -> tuple[int, int]:
    """Return the steps to the nearest head of an opponent that is not shorter, and of one that is.

    They are those on an empty board, and NOWHERE if there is no such opponent. The first kind wins or ties a
    head-to-head collision, and the second loses it.
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
def edge_distance(game: Any, cell: int) -> int:
    """Return the steps from a cell to the nearest edge, 0 on it; NOWHERE on a board without edges."""
    if game.wrapped:
        return NOWHERE
    column, row = int(game.column[cell]), int(game.row[cell])
    return min(min(column, game.width - 1 - column), min(row, game.height - 1 - row))


@njit
def lowest_health(board: Any, snake: int) -> int:
    """Return the health of the living opponent that is the nearest to starving; 0 if there is none."""
    lowest = 0
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other):
            health = int(board.health[other])
            lowest = health if lowest == 0 else min(lowest, health)
    return lowest
