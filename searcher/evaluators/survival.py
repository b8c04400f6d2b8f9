"""Survival, if no opponent must be beaten early: room that does not close behind me, my tail, health.

For solo games, where only turns count, and for constrictor, where the snake with more room wins.
"""

from typing import Any

from searcher.toolkit import MAX_HEALTH, Weight, cells, cut_cells, reach, reaches_tail

DESCRIPTION = "Room that does not close behind me, a way to my tail, and health: for solo and constrictor."

WEIGHTS = (
    Weight("area", 0.4, 0.0, 1.0, "of my share of the board less the opponents' together"),
    Weight("room", 0.3, 0.0, 1.0, "of the part of my body that the cells I reach first have room for"),
    Weight("tail", 0.2, 0.0, 1.0, "of 1 if I can get next to my own tail"),
    Weight("narrow", 0.2, 0.0, 1.0, "less the share of the cells I reach first that close a way behind me"),
    Weight("hunger", 0.3, 0.0, 1.0, "less the square of the health I miss, as a share of full health"),
    Weight("food", 0.2, 0.0, 1.0, "of the nearness of food that I reach first, times the square above"),
)
AREA, ROOM, TAIL, NARROW, HUNGER, FOOD = range(len(WEIGHTS))


def evaluate(game: Any, board: Any, weights: Any, snake: int) -> float:
    """Return the value of the board for a living snake, from -1 to 1."""
    weight = weights.values
    my_area, their_area, steps = reach(game, board, snake)
    mine = cells.count(my_area)
    missing = 1.0 - board.health[snake] / MAX_HEALTH
    hunger = missing * missing
    value = weight[AREA] * (mine - cells.count(their_area)) / (game.width * game.height)
    value += weight[ROOM] * min(1.0, mine / board.length[snake])
    value += weight[TAIL] * int(reaches_tail(game, board, snake, my_area))
    value -= weight[NARROW] * cells.count(cut_cells(game, my_area)) / mine
    value -= weight[HUNGER] * hunger
    value += weight[FOOD] * hunger * max(0.0, 1.0 - (steps - 1) / (game.width + game.height))
    return value
