"""The tail chaser: it follows its own tail, because there is always a way out behind it."""

from arena.pool._features import steps_to, tail
from searcher.toolkit import Board, Game

DESCRIPTION = "Follows its own tail."


def rate(game: Game, board: Board, snake: int, cell: int) -> float:
    """Return how much the snake likes to enter a cell."""
    return -float(steps_to(game, board, cell, tail(game, board, snake)))
