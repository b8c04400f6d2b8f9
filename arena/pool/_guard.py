"""The guard: the safety of a move. Opponents that look one turn ahead choose by safety first."""

from typing import Any

from searcher.engine.features.lower_bound import after_move, opponent_moves
from searcher.toolkit import cells, fill, free_cells

_STEP = 4096.0
"""The distance between the numbers of two kinds of moves: more than the length of any body."""


def safety(game: Any, board: Any, snake: int, move: int) -> float:
    """Return a number that is higher for a safer move. The safest move has 0.

    There are four kinds of moves. From the least safe kind to the safest, a move runs into a wall or a body,
    starves the snake, risks a head-to-head with an opponent that may not be shorter, or does none of these.
    Among moves of the last two kinds, more room is safer, up to the length of the body.
    """
    cell, health, length = after_move(game, board, snake, move)
    free = free_cells(game, board)
    if not cells.contains(free, cell):
        return -3 * _STEP
    if health <= 0:
        return -2 * _STEP
    head = cells.one(board, "bodies", cell)
    contested, _, _ = opponent_moves(game, board, snake, length, head, free)
    room = 1 + cells.count(fill(game, head, free & ~head))
    return -_STEP * int(cells.contains(contested, cell)) - max(0, length - room)
