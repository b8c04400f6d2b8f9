"""Area control weighed against length, room for the body, hunger and food, in proportions tuned by matches.

They were found by `python -m arena tune`: docs/evaluators.md says how, and what they are worth.
"""

from typing import Any

from searcher.toolkit import (
    MAX_HEALTH,
    NOTHING,
    Weight,
    cells,
    length_bounds,
    longest_other,
    njit,
    reach,
    worst_case,
)

DESCRIPTION = "Area, lead in length, room for my body, hunger and food that I reach first, tuned in matches."

WEIGHTS = (
    Weight("area", 0.25, 0.0, 1.0, "of my share of the board less the others' together"),
    Weight("share", 0.16, 0.0, 1.0, "of the same, as a share of the cells that anyone reaches"),
    Weight("length", 0.33, 0.0, 1.0, "of my lead in length over the longest other, each part adding less"),
    Weight("room", 0.35, 0.0, 1.0, "of the part of my body that my area has room for, less the others'"),
    Weight("hunger", 0.48, 0.0, 1.0, "of the square of the health I miss, as a share of full health"),
    Weight("food", 0.27, 0.0, 1.0, "of the nearness of food that I reach first, times the health I miss"),
)
AREA, SHARE, LENGTH, ROOM, HUNGER, FOOD = range(len(WEIGHTS))

_HALF = 3.0
"""The lead in length that is worth half of what any lead can be."""


def evaluate(game: Any, board: Any, weights: Any, snake: int) -> float:
    """From -1 to 1, for a living snake."""
    mine, theirs, steps = reach(game, board, snake)
    own, longest = int(board.length[snake]), int(longest_other(board, snake))
    value = of_cells(game, weights, cells.count(mine), cells.count(theirs), own, longest)
    return value + of_body(game, weights, own - longest, int(board.health[snake]), steps)


def at_least(game: Any, board: Any, weights: Any, snake: int, move: int) -> float:
    """What `evaluate` says after a turn in which the snake makes a move, at least."""
    lives, mine, theirs, steps, health = worst_case(game, board, snake, move, cells.load(board, "food"))
    if not lives:
        return NOTHING
    own, most, least = length_bounds(game, board, snake, move)
    value = of_cells(game, weights, cells.count(mine), cells.count(theirs), own, least)
    return value + of_body(game, weights, own - most, health, steps)


@njit
def of_cells(game: Any, weights: Any, mine: int, theirs: int, own: int, longest: int) -> float:
    """What so many cells of mine and of the others are worth, for bodies of these lengths."""
    weight = weights.values
    value = weight[AREA] * (mine - theirs) / (game.width * game.height)
    value += weight[SHARE] * (mine - theirs) / (mine + theirs)
    return value + weight[ROOM] * (min(1.0, mine / own) - min(1.0, theirs / max(1.0, float(longest))))


@njit
def of_body(game: Any, weights: Any, lead: int, health: int, steps: int) -> float:
    """What a lead in length, health and so many steps to food are worth."""
    weight = weights.values
    missing = 1.0 - health / MAX_HEALTH
    value = weight[LENGTH] * lead / (abs(lead) + _HALF) - weight[HUNGER] * missing * missing
    return value + weight[FOOD] * missing * max(0.0, 1.0 - (steps - 1) / (game.width + game.height))
