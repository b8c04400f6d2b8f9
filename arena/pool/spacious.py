"""The spacious opponent: it moves to where it has most room."""

from arena.pool._features import reached_first
from searcher.toolkit import Board, Game, cells

DESCRIPTION = "Takes the most room: the cells that it reaches before any other snake."


def rate(game: Game, board: Board, snake: int, cell: int) -> float:
    """Return how much the snake likes to enter a cell."""
    return float(cells.count(reached_first(game, board, snake, cell)))
