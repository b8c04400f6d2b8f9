"""The guard: the safety of a move. Opponents that look one turn ahead choose by safety first."""

from typing import Any

from searcher.engine.features.lower_bound import after_move, opponent_moves
from searcher.toolkit import cells, fill, free_cells

_STEP = 4096.0
"""The difference between two kinds of moves: more than the length of any body."""


def safety(game: Any, board: Any, snake: int, move: int) -> float:
    """Return how safe a move is, as a number that orders moves; 0 is the safest.

    The kinds of moves, the least safe first: into a wall or a body; starving; risking a head-to-head with an
    opponent that may not be shorter; all other moves. Among moves of the last two kinds, more room is safer,
    up to the length of the body.
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
