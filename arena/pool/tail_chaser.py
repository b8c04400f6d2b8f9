"""The tail chaser: it follows its own tail, because there is always a way out behind it."""

from typing import Any

from arena.pool._features import steps_to, tail

DESCRIPTION = "Follows its own tail."


def rate(game: Any, board: Any, snake: int, cell: int) -> float:
    """Return how much the snake likes to enter a cell."""
    return -float(steps_to(game, board, cell, tail(game, board, snake)))
