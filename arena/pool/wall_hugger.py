"""The wall hugger: it goes round and round along the edges."""

from searcher.toolkit import Board, Game, edge_distance

DESCRIPTION = "Keeps to the edges of the board."


def rate(game: Game, board: Board, snake: int, cell: int) -> float:
    """Return how much the snake likes to enter a cell."""
    return -float(edge_distance(game, cell))
