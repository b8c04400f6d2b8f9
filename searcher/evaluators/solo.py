"""A snake alone: it follows a loop, and eats as seldom as its health allows.

After a meal, the loop has a free cell for a turn or two. If food appears there, the snake has to eat it. So a
loop longer than the body is worth more than a loop of the body's length.
"""

from searcher.toolkit import Board, Game, Weight, Weights, cells, closes_loop, free_cells, reach

DESCRIPTION = "A loop that my body follows without eating, and meals only when health runs out: for solo."

WEIGHTS = (
    Weight("loop", 0.4, 0.0, 1.0, "of 1 if I can get back onto my own body without eating, and follow it"),
    Weight("spare", 0.1, 0.0, 1.0, "of 1 if that loop is longer than my body"),
    Weight("room", 0.2, 0.0, 1.0, "of the part of my body that my area has room for, if there is no loop"),
    Weight("hunger", 0.3, 0.0, 1.0, "less the missing share of a small reserve of health at my food"),
    Weight("growth", 0.5, 0.0, 1.0, "less my length, as a share of the board"),
)
LOOP, SPARE, ROOM, HUNGER, GROWTH = range(len(WEIGHTS))

_RESERVE = 4
"""Hunger counts 1 - (health - steps to food) / _RESERVE, but at least 0."""


def evaluate(game: Game, board: Board, weights: Weights, snake: int) -> float:
    """Return the value of the board for a living snake, from -1 to 1."""
    weight, length = weights.values, int(board.length[snake])
    mine, _, steps = reach(game, board, snake)
    steps = min(steps, game.width + game.height)
    free = free_cells(game, board) & ~cells.load(board, "food")
    if closes_loop(game, board, snake, free, 1):
        value = weight[LOOP] + weight[SPARE]
    elif closes_loop(game, board, snake, free, 0):
        value = weight[LOOP]
    else:
        value = weight[ROOM] * min(1.0, cells.count(mine) / length)
    value -= weight[HUNGER] * max(0.0, 1.0 - (board.health[snake] - steps) / _RESERVE)
    return value - weight[GROWTH] * length / (game.width * game.height)
