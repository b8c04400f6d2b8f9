"""Area control weighed against length, room for the body, hunger and food, in proportions tuned by matches.

They were found by `python -m arena tune`: docs/evaluators.md says how, and what they are worth.
"""

from typing import Any

from numba import njit

from searcher.engine import cells
from searcher.engine.flood import neighbours
from searcher.engine.position import MAX_HEALTH
from searcher.engine.rules import free_cells, is_alive
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
_NOWHERE = 1000
"""The way to food where none is reached: above the sides of every board together."""


def evaluate(game: Any, board: Any, weights: Any, snake: int) -> float:
    """From -1 to 1, for a living snake."""
    weight = weights.values
    mine, theirs, way = reach(game, board, snake)
    own, longest = float(board.length[snake]), float(longest_other(board, snake))
    lead = own - longest
    missing = 1.0 - board.health[snake] / MAX_HEALTH
    value = weight[AREA] * (mine - theirs) / (game.width * game.height)
    value += weight[SHARE] * (mine - theirs) / (mine + theirs)
    value += weight[LENGTH] * lead / (abs(lead) + _HALF)
    value += weight[ROOM] * (min(1.0, mine / own) - min(1.0, theirs / max(1.0, longest)))
    value -= weight[HUNGER] * missing * missing
    value += weight[FOOD] * missing * max(0.0, 1.0 - way / (game.width + game.height))
    return value


@njit
def longest_other(board: Any, snake: int) -> int:
    """The length of the longest living other; 0 if there is none."""
    longest = 0
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other):
            longest = max(longest, board.length[other])
    return longest


@njit
def reach(game: Any, board: Any, snake: int) -> tuple[int, int, int]:
    """How many cells a living snake reaches first, how many the others do, and its way to food.

    The cells are those of `flood.area`. The way is to the nearest food among its own cells: the steps before
    the one onto it.
    """
    if len(board.head) > 2:
        return reach_among_many(game, board, snake)
    other = 1 - snake
    mine = cells.one(board, "bodies", board.head[snake])
    theirs = cells.none(board, "bodies")
    if is_alive(board, other):
        theirs = cells.one(board, "bodies", board.head[other])
    if board.length[snake] > board.length[other]:
        mine, theirs, way, _ = reach_of_two(game, board, mine, theirs)
    else:
        theirs, mine, _, way = reach_of_two(game, board, theirs, mine)
    return cells.count(mine), cells.count(theirs), way


@njit
def reach_of_two(game: Any, board: Any, strong: Any, weak: Any) -> Any:
    """The cells reached first from each of two sets, at the same time from the strong one; ways to food."""
    nothing = cells.none(board, "bodies")
    food = cells.load(board, "food")
    free = free_cells(game, board) & ~(strong | weak)
    strong_edge, weak_edge = strong, weak
    strong_way, weak_way = 0, 0
    while strong_edge | weak_edge != nothing:
        strong_edge = neighbours(game, strong_edge) & free
        free ^= strong_edge
        weak_edge = neighbours(game, weak_edge) & free
        free ^= weak_edge
        strong |= strong_edge
        weak |= weak_edge
        strong_way += int(strong & food == nothing)
        weak_way += int(weak & food == nothing)
    if strong & food == nothing:
        strong_way = _NOWHERE
    if weak & food == nothing:
        weak_way = _NOWHERE
    return strong, weak, strong_way, weak_way


@njit
def reach_among_many(game: Any, board: Any, snake: int) -> tuple[int, int, int]:
    """As `reach`, for any number of others: those that win ties flood together, and those that lose them."""
    nothing = cells.none(board, "bodies")
    food = cells.load(board, "food")
    free = free_cells(game, board)
    mine = cells.one(board, "bodies", board.head[snake])
    strong_edge, my_edge, weak_edge = nothing, mine, nothing
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other):
            head = cells.one(board, "bodies", board.head[other])
            if board.length[other] >= board.length[snake]:
                strong_edge |= head
            else:
                weak_edge |= head
    theirs = strong_edge | weak_edge
    free &= ~(mine | theirs)
    way = 0
    while strong_edge | my_edge | weak_edge != nothing:
        strong_edge = neighbours(game, strong_edge) & free
        free ^= strong_edge
        my_edge = neighbours(game, my_edge) & free
        free ^= my_edge
        weak_edge = neighbours(game, weak_edge) & free
        free ^= weak_edge
        mine |= my_edge
        theirs |= strong_edge | weak_edge
        way += int(mine & food == nothing)
    if mine & food == nothing:
        way = _NOWHERE
    return cells.count(mine), cells.count(theirs), way
