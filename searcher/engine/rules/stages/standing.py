"""Standing still, which some search algorithms assume: a stage before and one after the official stages."""

from typing import Any

from searcher.engine.jit.decorator import njit
from searcher.engine.rules.board import distinct_cells
from searcher.engine.rules.joint import STILL, is_still


@njit
def stand_still(game: Any, board: Any, joint: int) -> None:
    """Treat each snake that stands still as dead during the turn.

    It does not move, lose health, eat or grow. All its cells stay in `bodies`: a head that runs into one of
    them, even into the head, dies regardless of length.
    """
    # Snakes rarely stand still, and this runs for every node.
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
                board.length[snake] = distinct_cells(board, snake) + board.grow[snake]
