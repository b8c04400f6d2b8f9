"""Area control combined with length, room for the body, hunger and food, in proportions tuned by matches.

`python -m arena tune` found the proportions. docs/evaluators.md describes the method and the strength.
"""

from searcher.toolkit import MAX_HEALTH, Board, Game, Weight, Weights, cells, longest_other, njit, reach

DESCRIPTION = "Area, lead in length, room for my body, hunger and food that I reach first, tuned in matches."

WEIGHTS = (
    Weight("area", 0.25, 0.0, 1.0, "of my share of the board less the opponents' together"),
    Weight("share", 0.16, 0.0, 1.0, "of the same, as a share of the cells that anyone reaches"),
    Weight("length", 0.33, 0.0, 1.0, "of my lead in length over the longest opponent, each part adding less"),
    Weight("room", 0.35, 0.0, 1.0, "of the part of my body that my area has room for, less the opponents'"),
    Weight("hunger", 0.48, 0.0, 1.0, "of the square of my missing health, where 1 is full health"),
    Weight("food", 0.27, 0.0, 1.0, "of the nearness of food that I reach first, times my missing health"),
)
AREA, SHARE, LENGTH, ROOM, HUNGER, FOOD = range(len(WEIGHTS))

_HALF_VALUE_LEAD = 3.0
"""A lead in length is worth lead / (abs(lead) + _HALF_VALUE_LEAD), in parts."""


def evaluate(game: Game, board: Board, weights: Weights, snake: int) -> float:
    """Return the value of the board for a living snake, from -1 to 1."""
    mine, theirs, steps = reach(game, board, snake)
    own, longest = int(board.length[snake]), int(longest_other(board, snake))
    value = area_value(game, weights, cells.count(mine), cells.count(theirs), own, longest)
    return value + body_value(game, weights, own - longest, int(board.health[snake]), steps)


@njit
def area_value(game: Game, weights: Weights, mine: int, theirs: int, own: int, longest: int) -> float:
    """Return the value of my number of cells and the opponents' number, for bodies of these lengths."""
    weight = weights.values
    value = weight[AREA] * (mine - theirs) / (game.width * game.height)
    value += weight[SHARE] * (mine - theirs) / (mine + theirs)
    return value + weight[ROOM] * (min(1.0, mine / own) - min(1.0, theirs / max(1.0, float(longest))))


@njit
def body_value(game: Game, weights: Weights, lead: int, health: int, steps: int) -> float:
    """Return the value of a lead in length, of my health, and of the steps to food."""
    weight = weights.values
    missing = 1.0 - health / MAX_HEALTH
    value = weight[LENGTH] * lead / (abs(lead) + _HALF_VALUE_LEAD) - weight[HUNGER] * missing * missing
    return value + weight[FOOD] * missing * max(0.0, 1.0 - (steps - 1) / (game.width + game.height))
