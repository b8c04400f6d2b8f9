"""Constrictor: there is no food, and every snake grows on every turn."""

from typing import Any

from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.position import MAX_HEALTH
from searcher.engine.rules.board import is_alive


@njit
def constrict(game: Any, board: Any, joint: int) -> None:
    """Under constrictor rules, remove all food, restore health, and grow snakes with no part to unfold."""
    if not game.constrictor:
        return
    cells.store(board, "food", cells.none(board, "food"))
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            board.health[snake] = MAX_HEALTH
            if board.grow[snake] == 0:
                board.grow[snake] = 1
                board.length[snake] += 1
