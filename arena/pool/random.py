"""The random opponent: it makes any safe move."""

from searcher.toolkit import Board, Game

DESCRIPTION = "Plays any safe move."


def rate(game: Game, board: Board, snake: int, cell: int) -> float:
    """Return how much the snake likes to enter a cell: the same for all cells."""
    return 0.0
