"""MaxN (Luckhardt and Irani, 1986): a score for each snake, and each does what is best for itself.

A turn is looked at as if in order: I choose, then the other living snakes by their index, each knowing the
choices before its own; then all move at once by the rules. Who dies keeps the score of that death, and the
others play on. Of moves that are equal for it another snake takes the one that is worst for me; where that
is equal too, and where I choose, the first by direction.

Nothing is pruned but the other moves of a snake that wins on this turn: all the ways in which it wins now
give everybody the same. Shallow pruning (Korf, 1991) needs a bound on the sum of all scores, which the
evaluators do not promise. A leaf costs one evaluation for each living snake.
"""

from functools import cache
from typing import Any

import numpy as np
from numba import njit

from searcher.engine.jit.intrinsics import call_evaluator, call_search, copy_record
from searcher.engine.rules.board import is_alive
from searcher.engine.rules.joint import move_of, with_move
from searcher.engine.rules.records import Shape
from searcher.engine.rules.turn import play
from searcher.engine.search.clock import count_node
from searcher.engine.search.kernels import SearchKernel
from searcher.engine.search.ordering import NO_MOVE, generate_moves
from searcher.engine.search.score import draw_at, heuristic, loss_at, win_at
from searcher.engine.search.thread_state import MAX_DEPTH

ANY_MOVE = -1
"""In the place of my move: I choose as the others do."""


@cache
def outlook_dtype(shape: Shape) -> np.dtype[np.void]:
    """Return the record of what the search expects of a position.

    scores: by snake. pv: by ply from the root, the joint moves that lead there; pv_end: the ply after its last
    one.
    """
    return np.dtype(
        [
            ("scores", np.int64, (shape.snakes,)),
            ("pv", np.uint16, (MAX_DEPTH + 1,)),
            ("pv_end", np.int64),
        ],
        align=True,
    )


@cache
def own_state(shape: Shape) -> np.dtype[np.void]:
    """Return the record of the state that MaxN keeps besides the shared one.

    outlook: by ply, what is expected of the position there. chosen: by ply and snake, what is expected after
    the best of the moves that it has tried, with all choices made before it as they are.
    """
    plies, outlook = MAX_DEPTH + 1, outlook_dtype(shape)
    return np.dtype([("outlook", outlook, (plies,)), ("chosen", outlook, (plies, shape.snakes))], align=True)


def maxn_node(
    state: Any, game: Any, weights: Any, ply: int, depth: int, move: int, alpha: int, beta: int
) -> int:
    """My score of my move, or of ANY_MOVE, `depth` turns deep: exact, whatever the window.

    Leaves what everybody may expect in `state.own.outlook` of this ply. The value means nothing once
    `state.stopped` is set. This is the one function of the search with an address: it calls itself by
    `state.search`.
    """
    generate_moves(game, state, ply)
    if move != ANY_MOVE:
        state.legal[ply, state.you] = 1 << move
    joint = first_joint(state, ply)
    while joint >= 0:
        after_turn(state, game, weights, ply, depth, joint)
        if state.stopped:
            return 0
        joint = next_joint(state, ply, joint)
    note_line(state, ply)
    return state.own.outlook[ply].scores[state.you]


@njit
def after_turn(state: Any, game: Any, weights: Any, ply: int, depth: int, joint: int) -> None:
    """Finds the outlook of the position that a joint move leads to. Counts a node."""
    if not count_node(state):
        return
    board = state.boards[ply + 1]
    copy_record(board, state.boards[ply])
    play(game, board, joint)
    living = 0
    for snake in range(len(board.head)):
        living += int(is_alive(board, snake))
    state.own.outlook[ply + 1].pv_end = ply + 1
    if living <= state.contested:
        score_winner(state, ply + 1)
    elif depth == 1:
        score_living(state, game, weights, ply + 1)
    else:
        call_search(state.search, state, game, weights, ply + 1, depth - 1, ANY_MOVE, 0, 0)
    score_dead(state, ply, living == 0 and state.contested != 0)
    state.own.outlook[ply + 1].pv[ply] = joint


@njit
def score_winner(state: Any, ply: int) -> None:
    """Scores the one that is alive at the end of the game, if there is one."""
    for snake in range(len(state.boards[ply].head)):
        if is_alive(state.boards[ply], snake):
            state.own.outlook[ply].scores[snake] = win_at(ply)


@njit
def score_living(state: Any, game: Any, weights: Any, ply: int) -> None:
    """Scores a leaf for every living snake."""
    board = state.boards[ply]
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            state.evaluations += 1
            value = call_evaluator(state.evaluator, game, board, weights, snake)
            state.own.outlook[ply].scores[snake] = heuristic(value)


@njit
def score_dead(state: Any, ply: int, drawn: bool) -> None:
    """Scores those who are dead after the turn of a ply by that turn; a draw for those whom it killed last.

    The turn before it does so again for those who were dead already, so that each keeps its own death.
    """
    scores = state.own.outlook[ply + 1].scores
    for snake in range(len(scores)):
        if not is_alive(state.boards[ply + 1], snake):
            died_last = drawn and is_alive(state.boards[ply], snake)
            scores[snake] = draw_at(ply + 1) if died_last else loss_at(ply + 1)


@njit
def first_joint(state: Any, ply: int) -> int:
    """The first joint move to look at: everybody's first legal move."""
    joint = 0
    for snake in range(len(state.boards[ply].head)):
        if is_alive(state.boards[ply], snake):
            joint |= first_move(state.legal[ply, snake], 0) << (2 * snake)
    return joint


@njit
def next_joint(state: Any, ply: int, joint: int) -> int:
    """The joint move to look at after one whose outlook is known, the last chooser's changing fastest.

    Who has no move left to look at goes back to its first one, and its choice is what the chooser before
    compares. The first chooser's choice is the outlook of this ply, and -1 the answer.
    """
    board, found = state.boards[ply], state.own.outlook[ply + 1]
    for place in range(len(board.head) - 1, -1, -1):
        snake = chooser(state.you, place)
        if is_alive(board, snake):
            moves, move = int(state.legal[ply, snake]), move_of(joint, snake)
            first = first_move(moves, 0)
            chosen = state.own.chosen[ply, snake]
            if move == first or prefers(state.you, snake, found.scores, chosen.scores):
                copy_record(chosen, found)
            following = first_move(moves, move + 1)
            if following != NO_MOVE and chosen.scores[snake] < win_at(ply + 1):
                return with_move(joint, snake, following)
            joint = with_move(joint, snake, first)
            found = chosen
    copy_record(state.own.outlook[ply], found)
    return -1


@njit
def chooser(you: int, place: int) -> int:
    """The snake that chooses at a place in the order: I am the first, at place 0."""
    return you if place == 0 else place - int(place <= you)


@njit
def prefers(you: int, snake: int, scores: Any, others: Any) -> bool:
    """Whether a snake takes some scores rather than others that it would else stay with."""
    if scores[snake] != others[snake]:
        return scores[snake] > others[snake]
    return scores[you] < others[you]


@njit
def first_move(moves: int, start: int) -> int:
    """The first of a set of moves, from the direction `start` on; NO_MOVE if there is none."""
    for move in range(start, 4):
        if (moves >> move) & 1:
            return move
    return NO_MOVE


@njit
def note_line(state: Any, ply: int) -> None:
    """Notes the line of a ply's outlook as the one below my newest move."""
    outlook = state.own.outlook[ply]
    for turn in range(outlook.pv_end - ply):
        state.reply_pv[ply, turn] = outlook.pv[ply + turn]
    state.reply_pv_length[ply] = outlook.pv_end - ply


MAXN = SearchKernel(maxn_node, own_state)
