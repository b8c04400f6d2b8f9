"""The coward: it stays as far from every head as it can."""

from arena.pool._features import all_heads, steps_to
from searcher.toolkit import Board, Game

DESCRIPTION = "Runs from the nearest head of another snake."


def rate(game: Game, board: Board, snake: int, cell: int) -> float:
    """Return how much the snake likes to enter a cell."""
    return float(steps_to(game, board, cell, all_heads(board, snake)))
