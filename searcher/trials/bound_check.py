"""A check of an evaluator's `at_least` against its `evaluate` after every snake has moved."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numba import typeof
from numpy.typing import NDArray

from searcher.engine.features.lower_bound import NOTHING
from searcher.engine.jit.decorator import njit
from searcher.engine.position import Direction
from searcher.engine.rules.board import free_cells, is_alive, legal_moves, move_bits
from searcher.engine.rules.records import Packed
from searcher.engine.rules.turn import play

SNAKE = 0
"""The snake whose moves are tried."""

_REPLIES = 4
"""The replies that are tried for each move: in the k-th one, every other snake makes its k-th legal move."""


def compile_turn(packed: Packed) -> None:
    """Compile the code that checks positions of this shape."""
    _play.dispatcher.compile(tuple(map(typeof, (packed.game[0], packed.board[0], 0, 0))))


def find_bound_error(packed: Packed, weights: NDArray[np.void], evaluate: Any, at_least: Any) -> str:
    """Return the first error in the lower bounds of the snake's legal moves, or an empty string.

    `evaluate` and `at_least` are the evaluator's compiled functions.
    """
    game = packed.game[0]
    for move, after in _turns(packed):
        bound = float(at_least(game, packed.board[0], weights[0], SNAKE, int(move)))
        if np.isnan(bound) or bound == np.inf:
            return f"at_least returns {bound}"
        if bound == NOTHING:
            continue
        lengths = after["length"][0]
        if lengths[SNAKE] == 0:
            return f"at_least returns {bound} for a move after which the snake may be dead"
        if np.count_nonzero(lengths) > 1:
            value = float(evaluate(game, after[0], weights[0], SNAKE))
            if bound > value:
                return f"at_least returns {bound} for a move after which evaluate returns {value}"
    return ""


def _turns(packed: Packed) -> Iterator[tuple[Direction, NDArray[np.void]]]:
    """Yield each legal move with the board after it and one of the replies."""
    for move in Direction:
        for number in range(_REPLIES):
            after = packed.board.copy()
            if _play(packed.game[0], after[0], int(move), number):
                yield move, after


def _play_turn(game: Any, board: Any, move: int, number: int) -> bool:
    """Play a turn with the reply of this number and return whether the move is legal.

    A snake with fewer legal moves makes its last one.
    """
    free = free_cells(game, board)
    joint = move_bits(SNAKE, move)
    for snake in range(len(board.head)):
        moves = legal_moves(game, board, snake, free)
        if snake == SNAKE and not (moves >> move) & 1:
            return False
        if snake != SNAKE and is_alive(board, snake):
            chosen, left = 0, number
            for direction in range(4):
                if (moves >> direction) & 1 and left >= 0:
                    chosen, left = direction, left - 1
            joint |= move_bits(snake, chosen)
    play(game, board, joint)
    return True


_play = njit(_play_turn)
