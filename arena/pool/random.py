"""The random opponent: it makes any safe move."""

from typing import Any

DESCRIPTION = "Plays any safe move."


def rate(game: Any, board: Any, snake: int, cell: int) -> float:
    """Return how much the snake likes to enter a cell: the same for all cells."""
    return 0.0
