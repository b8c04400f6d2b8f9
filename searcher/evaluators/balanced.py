"""Area control weighed against length, room for the body, hunger and food, in proportions tuned by matches.

They were found by `python -m arena tune`: docs/evaluators.md says how, and what they are worth.
"""

from typing import Any

from searcher.engine import cells
from searcher.engine.flood import reach
from searcher.engine.position import MAX_HEALTH
from searcher.engine.terrain import longest_other
from searcher.evaluators import Weight

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
    weight = weights.values
    my_area, their_area, steps = reach(game, board, snake)
    mine, theirs = cells.count(my_area), cells.count(their_area)
    own, longest = float(board.length[snake]), float(longest_other(board, snake))
    lead = own - longest
    missing = 1.0 - board.health[snake] / MAX_HEALTH
    value = weight[AREA] * (mine - theirs) / (game.width * game.height)
    value += weight[SHARE] * (mine - theirs) / (mine + theirs)
    value += weight[LENGTH] * lead / (abs(lead) + _HALF)
    value += weight[ROOM] * (min(1.0, mine / own) - min(1.0, theirs / max(1.0, longest)))
    value -= weight[HUNGER] * missing * missing
    value += weight[FOOD] * missing * max(0.0, 1.0 - (steps - 1) / (game.width + game.height))
    return value
