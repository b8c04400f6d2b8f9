"""Royale: how far the hazards have closed in depends on the turn."""

from typing import Any

from searcher.engine.jit.decorator import njit
from searcher.engine.rules.records import HORIZON


@njit
def count_turn(game: Any, board: Any, joint: int) -> None:
    """Count the turn where hazards close in; elsewhere the turn changes nothing and is not counted."""
    if game.closing:
        board.turns = min(board.turns + 1, HORIZON - 1)
