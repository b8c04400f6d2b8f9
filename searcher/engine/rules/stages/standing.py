"""Standing still, which only some searches imagine: a first and a last stage around those of the official turn."""

from typing import Any

from numba import njit

from searcher.engine.rules.joint import STILL, is_still


@njit
def stand_still(game: Any, board: Any, joint: int) -> None:
    """Treat each snake that stands still as dead during the turn: it neither moves, loses health, eats nor grows.

    All its cells stay in `bodies`: a head that runs into one of them dies, also into the head, whatever the
    lengths.
    """
    # A snake hardly ever stands still, and this runs for every node.
    if joint >> STILL:
        for snake in range(len(board.head)):
            if is_still(joint, snake):
                board.length[snake] = 0


@njit
def resume(game: Any, board: Any, joint: int) -> None:
    """Restore the length of each living snake that stood still."""
    if joint >> STILL:
        for snake in range(len(board.head)):
            if is_still(joint, snake) and board.health[snake] > 0:
                distinct = board.head_at[snake] - board.tail_at[snake] + 1
                board.length[snake] = distinct + board.grow[snake]
