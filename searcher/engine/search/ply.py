"""One ply of a search: the turn, the score of a finished game, the evaluation of a leaf, the best line.

A search stores the principal variation in the thread state while it unwinds. Then `read_pv` reads it.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from searcher.engine.jit import intrinsics
from searcher.engine.jit.decorator import njit
from searcher.engine.live_board import LiveBoard
from searcher.engine.position import Direction
from searcher.engine.result import JointMove
from searcher.engine.rules.board import is_alive, is_still, living_others, move_of
from searcher.engine.rules.records import Game, Packed, Weights
from searcher.engine.rules.turn import play
from searcher.engine.search.score import INFINITE, draw_at, heuristic, loss_at, win_at
from searcher.engine.search.state import State

UNDECIDED = INFINITE + 1
"""This number stands in place of a score that is not known yet."""


@njit
def play_ply(state: State, game: Game, ply: int, joint: int) -> None:
    """Play a joint move from a ply's board onto the board of the next ply."""
    board = state.boards[ply + 1]
    intrinsics.copy_record(board, state.boards[ply])
    play(game, board, joint)


@njit
def terminal_score(state: State, ply: int) -> int:
    """Return my score if the game is over for me at a ply, or UNDECIDED."""
    board = state.boards[ply]
    alone = state.contested != 0 and living_others(board, state.you) == 0
    if not is_alive(board, state.you):
        return draw_at(ply) if alone else loss_at(ply)
    return win_at(ply) if alone else UNDECIDED


@njit
def evaluate(state: State, game: Game, weights: Weights, ply: int, snake: int) -> int:
    """Return the evaluator's score of a ply's board for a living snake. Counts an evaluation."""
    state.evaluations += 1
    return heuristic(intrinsics.call_evaluator(state.evaluator, game, state.boards[ply], weights, snake))


_DIRECTIONS = tuple(Direction)

# A call of a compiled function from Python would compile it.
_is_still, _move_of = is_still.py_func, move_of.py_func


@njit
def update_reply_pv(state: State, ply: int, joint: int) -> None:
    """Store the best line below my newest move: this turn, then the principal variation that follows it."""
    length = state.pv_length[ply + 1]
    state.reply_pv[ply, 0] = joint
    for turn in range(length):
        state.reply_pv[ply, turn + 1] = state.pv[ply + 1, turn]
    state.reply_pv_length[ply] = length + 1


@njit
def update_pv(state: State, ply: int) -> None:
    """Make the line below my newest move the principal variation of this position."""
    for turn in range(state.reply_pv_length[ply]):
        state.pv[ply, turn] = state.reply_pv[ply, turn]
    state.pv_length[ply] = state.reply_pv_length[ply]


def read_pv(packed: Packed, state: NDArray[np.void], number: int = 0) -> tuple[JointMove, ...]:
    """Return a reply line of the root, by default the last root move's line.

    The move of a snake is None after its death, and while it stands still.
    """
    joints = state["reply_pv"][0, number, : int(state["reply_pv_length"][0, number])].tolist()
    board, snakes = LiveBoard(packed), range(int(packed.game["snakes"][0]))
    pv = []
    for joint in joints:
        pv.append(_moves_in(joint, board.lengths, snakes))
        board.play(joint)
    return tuple(pv)


def _moves_in(joint: int, lengths: Sequence[int], snakes: range) -> JointMove:
    """Return the moves of the living snakes in a joint move."""
    return tuple(
        _DIRECTIONS[_move_of(joint, snake)] if lengths[snake] and not _is_still(joint, snake) else None
        for snake in snakes
    )
