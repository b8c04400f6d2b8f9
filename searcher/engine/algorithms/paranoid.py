"""Paranoid minimax: all others play against me, one after the other, and know my move.

A turn is looked at as if in order: I choose, then the opponents, knowing what I chose; then all move at
once by the rules. Scores are mine. Pruning: alpha-beta (Knuth and Moore, 1975) with principal variation
search (Marsland and Campbell, 1982): the first of several moves gets the whole window, the others must
first show in a null window that they are better. There is no random food in the state: scores know of the
food on the board alone. Hazards that close in do their expected damage.

If the state says so, the search reduces: late choices are first looked at one turn less deep; others too far
away to matter have one choice; and of several others one at a time leaves its first choice. A loss is
then still one against moves that can be made. Among three or more snakes a win is not proven.

On the last turn the first reply is looked at, and then all at once: if the evaluator knows that none brings
less than would change anything, the others need no look of their own.
"""

from typing import Any

import numpy as np
from numba import njit

from searcher.engine.jit.intrinsics import call_evaluator, call_lower_bound, call_search, copy_record
from searcher.engine.rules.board import is_alive, living_others
from searcher.engine.rules.joint import STILL
from searcher.engine.rules.turn import play
from searcher.engine.search import table
from searcher.engine.search.clock import count_node
from searcher.engine.search.kernels import SearchKernel
from searcher.engine.search.ordering import (
    NO_MOVE,
    first_reply,
    generate_moves,
    next_reply,
    pick_move,
    update_history,
    update_killer,
)
from searcher.engine.search.pv import update_pv, update_reply_pv
from searcher.engine.search.score import INFINITE, draw_at, heuristic, loss_at, win_at

LMR_MIN_DEPTH = 5
"""Turns to go from which on late choices are first looked at one turn less deep."""

CROWD = 2
"""Others from which on a look at all replies at once pays: one alone has hardly more than two."""


def min_node(
    state: Any, game: Any, weights: Any, ply: int, depth: int, move: int, alpha: int, beta: int
) -> int:
    """The score of my move `depth` turns deep, if it lies within (alpha, beta): the least of all replies.

    Outside of the window it is a bound: a value <= alpha says "at most", one >= beta "at least". The
    value means nothing once `state.stopped` is set. The legal moves of this ply must have been found.
    This is the one function of the search with an address: it calls itself by `state.search`.
    """
    key = data = np.uint64(0)
    if depth > 1:
        key = table.key_after_move(state.keys[ply], move)
        data = table.probe(state, key)
    if data != 0 and beta - alpha == 1 and table.allows_cutoff(data, ply, depth, beta):
        return table.score_of(data, ply)
    tt_move = table.move_in(data) if data != 0 else state.killer[ply, move]
    joint = first_reply(state, game, ply, depth, move, tt_move)
    best, best_joint, upper = INFINITE, joint, beta
    while joint >= 0:
        late = best < INFINITE
        lower = max(alpha, upper - 1) if late else alpha
        score = lower
        if late and reduces_late_moves(state, depth):
            score = after_turn(state, game, weights, ply, depth - 1, joint, lower, upper)
        if score < upper:
            score = after_turn(state, game, weights, ply, depth, joint, lower, upper)
        if alpha < score <= lower:
            score = after_turn(state, game, weights, ply, depth, joint, alpha, score + 1)
        if state.stopped:
            return best
        if score < best:
            best, best_joint = score, joint
            upper = min(upper, best)
        if best <= alpha:
            update_killer(state, ply, move, joint, depth)
            break
        if depth == 1 and not late and state.lower_bound != 0:
            bound = lower_bound_score(state, game, weights, ply, move)
            if bound >= upper:
                best = min(best, bound)
                break
        joint = next_reply(state, ply, move)
    if depth > 1:
        table.save(state, key, depth, ply, best, table.bound_for(best, alpha, beta), best_joint)
    return best


@njit
def lower_bound_score(state: Any, game: Any, weights: Any, ply: int, move: int) -> int:
    """What my move brings at least when all have moved, as the evaluator says before they do."""
    board = state.boards[ply]
    if living_others(board, state.you) < CROWD:
        return -INFINITE
    state.evaluations += 1
    bound = call_lower_bound(state.lower_bound, game, board, weights, state.you, move)
    return heuristic(bound) if bound > -np.inf else -INFINITE


@njit
def reduces_late_moves(state: Any, depth: int) -> bool:
    """Whether what comes after the first choice is first looked at one turn less deep."""
    return state.reduces != 0 and depth >= LMR_MIN_DEPTH


@njit
def after_turn(
    state: Any, game: Any, weights: Any, ply: int, depth: int, joint: int, alpha: int, beta: int
) -> int:
    """The score of the position that a joint move leads to, as `min_node` says it. Counts a node."""
    if not count_node(state):
        return alpha
    board = state.boards[ply + 1]
    joint = play_reply(state, game, ply, joint)
    state.pv_length[ply + 1] = 0
    others = living_others(board, state.you)
    alone = state.contested != 0 and others == 0
    if not is_alive(board, state.you):
        score = draw_at(ply + 1) if alone else loss_at(ply + 1)
    elif alone:
        score = win_at(ply + 1)
    elif depth == 1:
        state.evaluations += 1
        score = heuristic(call_evaluator(state.evaluator, game, board, weights, state.you))
    else:
        score = max_node(state, game, weights, ply + 1, depth - 1, alpha, beta)
    if alpha < score < beta:
        update_reply_pv(state, ply, joint)
    return score


@njit
def play_reply(state: Any, game: Any, ply: int, joint: int) -> int:
    """Plays a turn from a ply's board on the next one's; the joint move that was played.

    Who is too far away to choose is not to die of the choice made for it: it stands still instead.
    """
    board = state.boards[ply + 1]
    copy_record(board, state.boards[ply])
    play(game, board, joint)
    if state.far[ply] == 0:
        return joint
    dead = state.far[ply]
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            dead &= ~(1 << snake)
    if dead != 0:
        joint |= dead << STILL
        copy_record(board, state.boards[ply])
        play(game, board, joint)
    return joint


@njit
def max_node(state: Any, game: Any, weights: Any, ply: int, depth: int, alpha: int, beta: int) -> int:
    """The score of a position `depth` turns deep, as `min_node` says it: the best of my moves."""
    key = table.key_of(state.boards[ply])
    state.keys[ply] = key
    data = table.probe(state, key)
    if data != 0 and beta - alpha == 1 and table.allows_cutoff(data, ply, depth, beta):
        return table.score_of(data, ply)
    generate_moves(game, state, ply)
    tt_move = table.move_in(data) if data != 0 else NO_MOVE
    moves = int(state.legal[ply, state.you])
    best, best_move, lower = -INFINITE, NO_MOVE, alpha
    while moves != 0:
        late = best_move != NO_MOVE
        move = pick_move(state, ply, state.you, moves, tt_move, late)
        moves ^= 1 << move
        upper = min(beta, lower + 1) if late else beta
        score = upper
        if late and reduces_late_moves(state, depth):
            score = call_search(state.search, state, game, weights, ply, depth - 1, move, lower, upper)
        if score > lower:
            score = call_search(state.search, state, game, weights, ply, depth, move, lower, upper)
        if upper <= score < beta:
            score = call_search(state.search, state, game, weights, ply, depth, move, score - 1, beta)
        if state.stopped:
            return best
        if score > best:
            best, best_move = score, move
            if score > lower:
                lower = score
                update_pv(state, ply)
        if best >= beta:
            update_history(state, ply, state.you, move, depth)
            break
    table.save(state, key, depth, ply, best, table.bound_for(best, alpha, beta), best_move)
    return best


PARANOID = SearchKernel(min_node)
