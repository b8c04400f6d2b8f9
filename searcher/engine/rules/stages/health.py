"""Hunger: a turn costs every snake one point of health."""

from typing import Any

from searcher.engine.jit.decorator import njit
from searcher.engine.rules.board import is_alive


@njit
def reduce_health(game: Any, board: Any, joint: int) -> None:
    """Take one point of health from each snake; a snake left with none may still eat."""
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            board.health[snake] -= 1
