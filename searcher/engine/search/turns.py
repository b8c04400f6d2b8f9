"""One ply of a search: the turn itself, the score of a finished game, and the evaluation of a leaf."""

from typing import Any

from searcher.engine.jit import intrinsics
from searcher.engine.jit.decorator import njit
from searcher.engine.rules.board import is_alive, living_others
from searcher.engine.rules.turn import play
from searcher.engine.search.score import INFINITE, heuristic, loss_at, win_at

UNDECIDED = INFINITE + 1
"""In place of a score: it is not known yet."""


@njit
def play_ply(state: Any, game: Any, ply: int, joint: int) -> None:
    """Play a joint move from a ply's board onto the board of the next ply."""
    board = state.boards[ply + 1]
    intrinsics.copy_record(board, state.boards[ply])
    play(game, board, joint)


@njit
def terminal_score(state: Any, ply: int, draw: int) -> int:
    """Return my score if the game is over for me at a ply, else UNDECIDED; `draw` is the score of a draw."""
    board = state.boards[ply]
    alone = state.contested != 0 and living_others(board, state.you) == 0
    if not is_alive(board, state.you):
        return draw if alone else loss_at(ply)
    return win_at(ply) if alone else UNDECIDED


@njit
def evaluate(state: Any, game: Any, weights: Any, ply: int, snake: int) -> int:
    """Return the evaluator's score of a ply's board for a living snake. Counts an evaluation."""
    state.evaluations += 1
    return heuristic(intrinsics.call_evaluator(state.evaluator, game, state.boards[ply], weights, snake))
