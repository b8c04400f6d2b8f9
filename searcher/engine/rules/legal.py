"""Legal moves: those that are not certain to lose at once."""

from typing import Any

from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.rules.board import is_alive, ring_cell


@njit
def leaving_tail(game: Any, board: Any, snake: int) -> Any:
    """Return the cell that the snake's tail leaves if it moves, as a set.

    The set is empty if a part has yet to unfold.
    """
    if board.grow[snake] > 0:
        return cells.none(board, "bodies")
    return cells.one(board, "bodies", ring_cell(game, snake, board.tail_at[snake]))


@njit
def leaving_tails(game: Any, board: Any) -> Any:
    """Return the cells that the tails of all snakes leave this turn."""
    leaving = cells.none(board, "bodies")
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            leaving |= leaving_tail(game, board, snake)
    return leaving


@njit
def free_cells(game: Any, board: Any) -> Any:
    """Return the cells that no body occupies this turn: a tail that leaves is free, one that stays is not."""
    blocked = cells.load(board, "bodies") & ~leaving_tails(game, board)
    return cells.load(game, "on_board") & ~blocked


@njit
def legal_moves(game: Any, board: Any, snake: int, free: Any) -> int:
    """Return the snake's legal moves as bits by direction; `free` is `free_cells` of the board.

    A snake without a legal move is given UP alone: it dies whichever way it goes.
    """
    moves = 0
    for direction in range(4):
        cell = game.neighbours[board.head[snake], direction]
        moves |= int(cells.contains(free, cell)) << direction
    return moves if moves != 0 else 1
