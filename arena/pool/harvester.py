"""The harvester: it moves to where much food is near that it reaches before any other snake."""

from arena.pool._features import reached_first, steps_to
from searcher.toolkit import NOWHERE, Board, Cells, Game, cells, neighbours, njit

DESCRIPTION = "Goes where it reaches most food first, near food above all; fights for food where it has none."

_PATIENCE = 0.7
"""The factor of a meal's value for each step to it."""


def rate(game: Game, board: Board, snake: int, cell: int) -> float:
    """Return how much the snake likes to enter a cell."""
    food, mine = cells.load(board, "food"), reached_first(game, board, snake, cell)
    if mine & food == mine ^ mine:
        return -float(min(NOWHERE, steps_to(game, board, cell, food)))
    return harvest(game, board, cell, mine, food)


@njit
def harvest(game: Game, board: Board, cell: int, mine: Cells, food: Cells) -> float:
    """Return the value of the food among my cells: each piece counts less with every step from the cell."""
    edge, value, share = cells.one(board, "bodies", cell), 0.0, 1.0
    left = mine & ~edge
    while edge != edge ^ edge:
        value += share * cells.count(edge & food)
        share *= _PATIENCE
        edge = neighbours(game, edge) & left
        left ^= edge
    return value
