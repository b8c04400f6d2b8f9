"""Area control, less hunger. A snake's area is the cells that it reaches first. Ties go to longer snakes."""

from typing import Any

from searcher.toolkit import MAX_HEALTH, NOTHING, Weight, area, cells, njit, worst_case

DESCRIPTION = "Share of the board reached first, where the longer snake wins ties, less hunger."

WEIGHTS = (
    Weight("area", 1.0, 0.0, 10.0, "of my share of the board less the opponents' together"),
    Weight("hunger", 0.5, 0.0, 10.0, "of the square of the health I miss, as a share of full health"),
)
AREA, HUNGER = range(len(WEIGHTS))


def evaluate(game: Any, board: Any, weights: Any, snake: int) -> float:
    """Return the value of the board for a living snake, from -1 to 1."""
    mine, theirs = area(game, board, snake)
    return value_of(game, weights, mine, theirs, int(board.health[snake]))


def at_least(game: Any, board: Any, weights: Any, snake: int, move: int) -> float:
    """Return a lower bound of `evaluate` after a turn in which the snake makes a move."""
    lives, mine, theirs, _, health = worst_case(game, board, snake, move, None)
    return value_of(game, weights, cells.count(mine), cells.count(theirs), health) if lives else NOTHING


@njit
def value_of(game: Any, weights: Any, mine: int, theirs: int, health: int) -> float:
    """Return the value of my health, and of these numbers of cells, mine and the opponents'."""
    missing = 1.0 - health / MAX_HEALTH
    board_cells = game.width * game.height
    return weights.values[AREA] * (mine - theirs) / board_cells - weights.values[HUNGER] * missing * missing
