"""Hazards: the damage of the cell that a head has entered."""

from typing import Any

from searcher.engine.jit.decorator import njit
from searcher.engine.position import MAX_HEALTH
from searcher.engine.rules.board import has, is_alive


@njit
def damage_by_hazards(game: Any, board: Any, joint: int) -> None:
    """Apply the damage of every layer of hazard under a head, unless food lies there."""
    era = game.era[board.turns]
    for snake in range(len(board.head)):
        head = board.head[snake]
        if is_alive(board, snake) and game.damage[era, head] != 0 and not has(board.food, head):
            health = board.health[snake] - game.damage[era, head]
            board.health[snake] = min(max(health, 0), MAX_HEALTH)
