"""The forager: it eats early, takes the food that it reaches first, and fights for the rest."""

from arena.pool._features import reached_first, steps_to
from searcher.toolkit import NOWHERE, Board, Game, cells

DESCRIPTION = "Eats early: food that it reaches first, otherwise any food; many meals ahead are better."

_MEALS = 0.5
"""The steps that another meal ahead is worth."""


def rate(game: Game, board: Board, snake: int, cell: int) -> float:
    """Return how much the snake likes to enter a cell."""
    food = cells.load(board, "food")
    own = reached_first(game, board, snake, cell) & food
    meals = _MEALS * cells.count(own)
    if own == own ^ own:
        return -float(NOWHERE + steps_to(game, board, cell, food))
    return meals - float(steps_to(game, board, cell, own))
