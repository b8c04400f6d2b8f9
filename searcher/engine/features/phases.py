"""How far a game has come: weights may move from its early to its late part, and from a crowd to a duel."""

from typing import Any

import numpy as np

from searcher.engine.jit.decorator import njit
from searcher.engine.rules.board import is_alive

LOGARITHMS = np.log(np.maximum(1, np.arange(1024)))
"""The natural logarithm of each whole number above 0: looking one up takes a tenth of the time."""

_FULL = 0.5
"""The share of the board that bodies cover when a game is late."""


@njit
def lateness(game: Any, board: Any) -> float:
    """Return how much of the board the bodies cover, from 0 (nothing) to 1 (half of the cells or more)."""
    parts = 0
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            parts += int(board.length[snake])
    return min(1.0, parts / (_FULL * game.width * game.height))


@njit
def crowding(board: Any) -> float:
    """Return the share of the living snakes that are more than two: 0 in a duel, 0.5 with four snakes."""
    alive = 0
    for snake in range(len(board.head)):
        alive += int(is_alive(board, snake))
    return max(0.0, 1.0 - 2.0 / alive)


@njit
def log_ratio(mine: float, theirs: float) -> float:
    """Return the logarithm of the ratio of two counts, each with one added: above 0 if mine is larger.

    Counts are cut to whole numbers, and none is above 1022.
    """
    return LOGARITHMS[int(mine) + 1] - LOGARITHMS[int(theirs) + 1]
