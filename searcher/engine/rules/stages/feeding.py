"""Feeding: a head on food restores its snake's health and makes it grow."""

from typing import Any

from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.position import MAX_HEALTH
from searcher.engine.rules.board import has, is_alive, set_cell


@njit
def feed_snakes(game: Any, board: Any, joint: int) -> None:
    """Give a snake whose head is on food full health and one more part, to unfold from its tail.

    Two heads on the same food both eat.
    """
    food = cells.load(board, "food")
    eaten = cells.none(board, "food")
    for snake in range(len(board.head)):
        if is_alive(board, snake) and has(board.food, board.head[snake]):
            board.health[snake] = MAX_HEALTH
            board.grow[snake] += 1
            board.length[snake] += 1
            eaten |= cells.one(board, "food", board.head[snake])
            if board.head_at[snake] == board.tail_at[snake]:
                # A snake of one cell grows under its own head, and its head runs into that part.
                set_cell(board.bodies, board.head[snake])
    cells.store(board, "food", food & ~eaten)
