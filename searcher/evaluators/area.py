"""Area control: the cells each snake reaches first, a longer snake winning ties; and not to starve."""

from typing import Any

from searcher.engine.flood import area
from searcher.engine.position import MAX_HEALTH
from searcher.evaluators import Weight

DESCRIPTION = "Share of the board reached first, the longer snake winning ties, less hunger."

WEIGHTS = (
    Weight("area", 1.0, 0.0, 10.0, "of my share of the board less the others' together"),
    Weight("hunger", 0.5, 0.0, 10.0, "of the square of the health I miss, as a share of full health"),
)
AREA, HUNGER = range(len(WEIGHTS))


def evaluate(game: Any, board: Any, weights: Any, snake: int) -> float:
    """From -1 to 1, for a living snake."""
    mine, theirs = area(game, board, snake)
    cells = game.width * game.height
    missing = 1.0 - board.health[snake] / MAX_HEALTH
    return weights.values[AREA] * (mine - theirs) / cells - weights.values[HUNGER] * missing * missing
