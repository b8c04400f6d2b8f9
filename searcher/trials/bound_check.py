"""Checks what an evaluator says that a move brings at least against what it says when all have moved."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numba import njit, typeof
from numpy.typing import NDArray

from searcher.engine.features.lower_bound import NOTHING
from searcher.engine.position import Direction
from searcher.engine.rules.board import is_alive
from searcher.engine.rules.legal import free_cells, legal_moves
from searcher.engine.rules.records import Packed
from searcher.engine.rules.turn import play

SNAKE = 0
"""The snake whose moves are tried."""

_REPLIES = 4
"""In the k-th reply every other snake makes its k-th legal move."""


def get_ready(packed: Packed) -> None:
    """Compiles what is needed to check positions of this shape."""
    _play.compile(tuple(map(typeof, (packed.game[0], packed.board[0], 0, 0))))


def broken_promise(packed: Packed, weights: NDArray[np.void], evaluate: Any, at_least: Any) -> str:
    """What is wrong with what an evaluator promises of the snake's legal moves; empty if nothing is found.

    `evaluate` and `at_least` are its functions, compiled.
    """
    game = packed.game[0]
    for move, after in _turns(packed):
        least = float(at_least(game, packed.board[0], weights[0], SNAKE, int(move)))
        if np.isnan(least) or least == np.inf:
            return f"at_least returns {least}"
        if least == NOTHING:
            continue
        lengths = after["length"][0]
        if lengths[SNAKE] == 0:
            return f"at_least returns {least} for a move after which the snake may be dead"
        if np.count_nonzero(lengths) > 1:
            value = float(evaluate(game, after[0], weights[0], SNAKE))
            if least > value:
                return f"at_least returns {least} for a move after which evaluate returns {value}"
    return ""


def _turns(packed: Packed) -> Iterator[tuple[Direction, NDArray[np.void]]]:
    """Legal moves, and boards that they and some replies lead to."""
    for move in Direction:
        for number in range(_REPLIES):
            after = packed.board.copy()
            if _play(packed.game[0], after[0], int(move), number):
                yield move, after


def _play_here(game: Any, board: Any, move: int, number: int) -> bool:
    """Plays a turn with a reply of a number, if the move is a legal one; of fewer the last counts again."""
    free = free_cells(game, board)
    joint = move << (2 * SNAKE)
    for snake in range(len(board.head)):
        moves = legal_moves(game, board, snake, free)
        if snake == SNAKE and not (moves >> move) & 1:
            return False
        if snake != SNAKE and is_alive(board, snake):
            chosen, left = 0, number
            for direction in range(4):
                if (moves >> direction) & 1 and left >= 0:
                    chosen, left = direction, left - 1
            joint |= chosen << (2 * snake)
    play(game, board, joint)
    return True


_play = njit(_play_here)
