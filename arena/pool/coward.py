"""The coward: it stays as far from every head as it can."""

from typing import Any

from arena.pool._features import all_heads, steps_to

DESCRIPTION = "Runs from the nearest head of another snake."


def rate(game: Any, board: Any, snake: int, cell: int) -> float:
    """Return how much the snake likes to enter a cell."""
    return float(steps_to(game, board, cell, all_heads(board, snake)))
