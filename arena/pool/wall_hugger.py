"""The wall hugger: it goes round and round along the edges."""

from typing import Any

from searcher.toolkit import edge_distance

DESCRIPTION = "Keeps to the edges of the board."


def rate(game: Any, board: Any, snake: int, cell: int) -> float:
    """Return how much the snake likes to enter a cell."""
    return -float(edge_distance(game, cell))
