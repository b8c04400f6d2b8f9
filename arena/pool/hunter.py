"""The hunter: it chases the heads of shorter snakes, because these lose a head-to-head."""

from arena.pool._features import shorter_heads, steps_to
from searcher.toolkit import NOWHERE, Board, Game, cells

DESCRIPTION = "Goes for the nearest head of a shorter snake; eats where there is none."


def rate(game: Game, board: Board, snake: int, cell: int) -> float:
    """Return how much the snake likes to enter a cell."""
    steps = steps_to(game, board, cell, shorter_heads(board, snake))
    if steps == NOWHERE:
        steps += steps_to(game, board, cell, cells.load(board, "food"))
    return -float(steps)
