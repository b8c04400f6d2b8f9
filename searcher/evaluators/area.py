"""Area control: the cells each snake reaches first, a longer snake winning ties; and not to starve."""

from typing import Any

from searcher.toolkit import MAX_HEALTH, NOTHING, Weight, area, cells, njit, worst_case

DESCRIPTION = "Share of the board reached first, the longer snake winning ties, less hunger."

WEIGHTS = (
    Weight("area", 1.0, 0.0, 10.0, "of my share of the board less the others' together"),
    Weight("hunger", 0.5, 0.0, 10.0, "of the square of the health I miss, as a share of full health"),
)
AREA, HUNGER = range(len(WEIGHTS))


def evaluate(game: Any, board: Any, weights: Any, snake: int) -> float:
    """From -1 to 1, for a living snake."""
    mine, theirs = area(game, board, snake)
    return weigh(game, weights, mine, theirs, int(board.health[snake]))


def at_least(game: Any, board: Any, weights: Any, snake: int, move: int) -> float:
    """What `evaluate` says after a turn in which the snake makes a move, at least."""
    lives, mine, theirs, _, health = worst_case(game, board, snake, move, None)
    return weigh(game, weights, cells.count(mine), cells.count(theirs), health) if lives else NOTHING


@njit
def weigh(game: Any, weights: Any, mine: int, theirs: int, health: int) -> float:
    """What so many cells of mine and of the others, and my health, are worth."""
    missing = 1.0 - health / MAX_HEALTH
    cells_in_all = game.width * game.height
    return weights.values[AREA] * (mine - theirs) / cells_in_all - weights.values[HUNGER] * missing * missing
