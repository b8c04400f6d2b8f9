"""The greedy opponent: it takes the shortest way to food."""

from arena.pool._features import steps_to
from searcher.toolkit import Board, Game, cells

DESCRIPTION = "Eats: takes the shortest way to the nearest food."


def rate(game: Game, board: Board, snake: int, cell: int) -> float:
    """Return how much the snake likes to enter a cell."""
    return -float(steps_to(game, board, cell, cells.load(board, "food")))
