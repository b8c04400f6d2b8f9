"""The guard of opponents that look one turn ahead: how safe a move is, whatever the opponent likes."""

from typing import Any

from searcher.engine.features.lower_bound import after_move, opponent_moves
from searcher.toolkit import cells, fill, free_cells

_ROOM = 4096.0
"""More than the room that any body needs, so that safety from heads comes first."""


def safety(game: Any, board: Any, snake: int, move: int) -> float:
    """Return how safe a move is, as a number that orders moves.

    From the least to the most safe: a move into a wall or a body; one that starves; one to a cell that the
    head of an opponent may enter which is not shorter then; all others. Among the last two kinds, a move is
    the safer the more room it leaves for the body, until there is room for all of it.
    """
    cell, health, length = after_move(game, board, snake, move)
    free = free_cells(game, board)
    if not cells.contains(free, cell):
        return -2.0
    if health <= 0:
        return -1.0
    head = cells.one(board, "bodies", cell)
    contested, _, _ = opponent_moves(game, board, snake, length, head, free)
    room = min(length, 1 + cells.count(fill(game, head, free & ~head)))
    return float(room) if cells.contains(contested, cell) else _ROOM + room
