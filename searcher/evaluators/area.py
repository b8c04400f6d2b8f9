"""Area control, less hunger. A snake's area is the cells that it reaches first. Ties go to longer snakes."""

from searcher.toolkit import MAX_HEALTH, Board, Game, Weight, Weights, area

DESCRIPTION = "Share of the board reached first, where the longer snake wins ties, less hunger."

WEIGHTS = (
    Weight("area", 1.0, 0.0, 10.0, "of my share of the board less the opponents' together"),
    Weight("hunger", 0.5, 0.0, 10.0, "of the square of my missing health, where 1 is full health"),
)
AREA, HUNGER = range(len(WEIGHTS))


def evaluate(game: Game, board: Board, weights: Weights, snake: int) -> float:
    """Return the value of the board for a living snake, from -1 to 1."""
    mine, theirs = area(game, board, snake)
    missing = 1.0 - int(board.health[snake]) / MAX_HEALTH
    board_cells = game.width * game.height
    return weights.values[AREA] * (mine - theirs) / board_cells - weights.values[HUNGER] * missing * missing
