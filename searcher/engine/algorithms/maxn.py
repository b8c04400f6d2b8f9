"""MaxN (Luckhardt and Irani, 1986): a score for each snake, and each snake maximizes its own.

The search treats a turn as sequential: I choose first, then the other living snakes by index, each knowing
the choices before its own. The turn itself follows the rules, so all snakes move simultaneously. A dead snake
keeps its death score, and the others play on. If several moves give an opponent the same score,
it takes the worst one for me. Remaining ties, and ties of my moves, go to the first move by direction.

The search prunes in one case only. A snake that wins on this turn tries no further moves, because all its
wins on this turn give every snake the same score. Shallow pruning (Korf, 1991) needs a bound on the sum of
all scores, and evaluators promise no such bound. A leaf costs one evaluation for each living snake.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np

from searcher.engine.jit import intrinsics
from searcher.engine.jit.decorator import njit
from searcher.engine.rules.board import is_alive, move_bits, move_of, with_move
from searcher.engine.rules.records import Game, Shape, Weights
from searcher.engine.search.clock import count_node
from searcher.engine.search.kernels import SearchKernel
from searcher.engine.search.ordering import NO_MOVE, generate_moves
from searcher.engine.search.ply import evaluate, play_ply
from searcher.engine.search.score import draw_at, loss_at, win_at
from searcher.engine.search.state import MAX_DEPTH, State

ANY_MOVE = -1
"""With this value of `move`, the search chooses my move too, as it chooses the opponents' moves."""


@cache
def value_dtype(shape: Shape) -> np.dtype[np.void]:
    """Return the record of a position's MaxN value.

    scores: by snake. pv: by ply from the root, the joint moves of the principal variation. pv_end: the ply
    after its last move.
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
    """Return the record of the state that MaxN keeps in addition to the shared state.

    values: by ply, the value of the position there. best: by ply and snake, the value after the snake's best
    move so far, given the choices before its own.
    """
    plies, value = MAX_DEPTH + 1, value_dtype(shape)
    return np.dtype([("values", value, (plies,)), ("best", value, (plies, shape.snakes))], align=True)


def maxn_node(
    state: State, game: Game, weights: Weights, ply: int, depth: int, move: int, alpha: int, beta: int
) -> int:
    """Return my exact score of my move, or of ANY_MOVE, `depth` turns deep, whatever the window.

    Leaves every snake's score in `state.own.values` of this ply. After a stop (`state.stopped`) the value is
    meaningless. The search calls this function recursively, by the address in `state.search`.
    """
    generate_moves(game, state, ply)
    if move != ANY_MOVE:
        state.legal[ply, state.you] = 1 << move
    joint = first_joint(state, ply)
    while joint >= 0:
        search_joint(state, game, weights, ply, depth, joint)
        if state.stopped:
            return 0
        joint = next_joint(state, ply, joint)
    write_reply_pv(state, ply)
    return state.own.values[ply].scores[state.you]


@njit
def search_joint(state: State, game: Game, weights: Weights, ply: int, depth: int, joint: int) -> None:
    """Find the value of the position that a joint move leads to. Counts a node."""
    if not count_node(state):
        return
    play_ply(state, game, ply, joint)
    board = state.boards[ply + 1]
    living = 0
    for snake in range(len(board.head)):
        living += int(is_alive(board, snake))
    state.own.values[ply + 1].pv_end = ply + 1
    over = living <= state.contested
    if over or depth == 1:
        score_living(state, game, weights, ply + 1, over)
    else:
        intrinsics.call_search(state.search, state, game, weights, ply + 1, depth - 1, ANY_MOVE, 0, 0)
    score_dead(state, ply, living == 0 and state.contested != 0)
    state.own.values[ply + 1].pv[ply] = joint


@njit
def score_living(state: State, game: Game, weights: Weights, ply: int, over: bool) -> None:
    """Score a leaf for every living snake. If the game is over, the last snake has won."""
    scores = state.own.values[ply].scores
    for snake in range(len(scores)):
        if is_alive(state.boards[ply], snake):
            scores[snake] = win_at(ply) if over else evaluate(state, game, weights, ply, snake)


@njit
def score_dead(state: State, ply: int, drawn: bool) -> None:
    """Score the snakes that are dead after the turn of a ply as if they had died on it.

    If the turn ended the game in a draw, the snakes that it killed draw. The search scores earlier deaths
    again on the way back, so each snake ends up with the score of its own death.
    """
    scores = state.own.values[ply + 1].scores
    for snake in range(len(scores)):
        if not is_alive(state.boards[ply + 1], snake):
            died_last = drawn and is_alive(state.boards[ply], snake)
            scores[snake] = draw_at(ply + 1) if died_last else loss_at(ply + 1)


@njit
def first_joint(state: State, ply: int) -> int:
    """Return the first joint move to search: every snake's first legal move."""
    joint = 0
    for snake in range(len(state.boards[ply].head)):
        if is_alive(state.boards[ply], snake):
            joint |= move_bits(snake, first_move(state.legal[ply, snake], 0))
    return joint


@njit
def next_joint(state: State, ply: int, joint: int) -> int:
    """Return the joint move to search after a joint move with a known value, or -1 after the last one.

    The move of the snake that chooses last changes fastest. A snake without further moves goes back to its
    first move. Then the snake that chooses before it compares the value with its best value so far. The best
    value of the snake that chooses first becomes the value of this ply.
    """
    board, value = state.boards[ply], state.own.values[ply + 1]
    for place in range(len(board.head) - 1, -1, -1):
        snake = snake_choosing_at(state.you, place)
        if is_alive(board, snake):
            moves, move = int(state.legal[ply, snake]), move_of(joint, snake)
            first = first_move(moves, 0)
            best = state.own.best[ply, snake]
            if move == first or is_better(state.you, snake, value.scores, best.scores):
                intrinsics.copy_record(best, value)
            following = first_move(moves, move + 1)
            if following != NO_MOVE and best.scores[snake] < win_at(ply + 1):
                return with_move(joint, snake, following)
            joint = with_move(joint, snake, first)
            value = best
    intrinsics.copy_record(state.own.values[ply], value)
    return -1


@njit
def snake_choosing_at(you: int, place: int) -> int:
    """Return the snake at a place in the order of choice: mine at place 0, then the others by index."""
    return you if place == 0 else place - int(place <= you)


@njit
def is_better(you: int, snake: int, scores: Sequence[int], best: Sequence[int]) -> bool:
    """Return whether a snake prefers these scores to the best so far. Ties go to the worse score for me."""
    if scores[snake] != best[snake]:
        return scores[snake] > best[snake]
    return scores[you] < best[you]


@njit
def first_move(moves: int, start: int) -> int:
    """Return the first move of a set, from the direction `start` on, or NO_MOVE without such a move."""
    for move in range(start, 4):
        if (moves >> move) & 1:
            return move
    return NO_MOVE


@njit
def write_reply_pv(state: State, ply: int) -> None:
    """Write the principal variation of a ply's value as the line below my newest move."""
    value = state.own.values[ply]
    for turn in range(value.pv_end - ply):
        state.reply_pv[ply, turn] = value.pv[ply + turn]
    state.reply_pv_length[ply] = value.pv_end - ply


MAXN = SearchKernel(maxn_node, own_state)
