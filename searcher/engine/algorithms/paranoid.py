"""Paranoid minimax: all others play against me, one after the other, and know my move.

A turn is looked at as if in order: I choose, then the opponents, knowing what I chose; then all move at
once by the rules. Scores are mine. Pruning: alpha-beta (Knuth and Moore, 1975) with principal variation
search (Marsland and Campbell, 1982): the first of several moves gets the whole window, the others must
first show in a null window that they are better. There is no random food in the tree: scores know of the
food on the board alone. Hazards that close in do their expected damage.

If the tree says so, the search reduces: late choices are first looked at one turn less deep; others too far
away to matter have one choice; and of several others one at a time leaves its first choice. A loss is
then still one against moves that can be made. Among three or more snakes a win is not proven.

On the last turn the first reply is looked at, and then all at once: if the evaluator knows that none brings
less than would change anything, the others need no look of their own.
"""

from typing import Any

import numpy as np
from numba import njit

from searcher.engine.jit.intrinsics import call_bound, call_evaluator, call_reply, copy_record
from searcher.engine.rules.turn import STILL, is_alive, living_others, play
from searcher.engine.search import table
from searcher.engine.search.clock import counts_node
from searcher.engine.search.ordering import (
    NO_MOVE,
    find_legal_moves,
    first_reply,
    next_reply,
    pick_move,
    reward_move,
    reward_reply,
)
from searcher.engine.search.score import INFINITE, draw_at, heuristic, loss_at, win_at

LATE_DEPTH = 5
"""Turns to go from which on late choices are first looked at one turn less deep."""

CROWD = 2
"""Others from which on a look at all replies at once pays: one alone has hardly more than two."""


def reply(tree: Any, game: Any, weights: Any, ply: int, depth: int, move: int, alpha: int, beta: int) -> int:
    """The score of my move `depth` turns deep, if it lies within (alpha, beta): the least of all replies.

    Outside of the window it is a bound: a value <= alpha says "at most", one >= beta "at least". The
    value means nothing once `tree.stopped` is set. The legal moves of this ply must have been found.
    This is the one function of the search with an address: it calls itself by `tree.search`.
    """
    key = data = np.uint64(0)
    if depth > 1:
        key = table.key_after_move(tree.keys[ply], move)
        data = table.probe(tree, key)
    if data != 0 and beta - alpha == 1 and table.decides(data, ply, depth, beta):
        return table.score_of(data, ply)
    hint = table.move_in(data) if data != 0 else tree.killer[ply, move]
    joint = first_reply(tree, game, ply, depth, move, hint)
    best, best_joint, upper = INFINITE, joint, beta
    while joint >= 0:
        late = best < INFINITE
        lower = max(alpha, upper - 1) if late else alpha
        score = lower
        if late and looks_shallower(tree, depth):
            score = after_turn(tree, game, weights, ply, depth - 1, joint, lower, upper)
        if score < upper:
            score = after_turn(tree, game, weights, ply, depth, joint, lower, upper)
        if alpha < score <= lower:
            score = after_turn(tree, game, weights, ply, depth, joint, alpha, score + 1)
        if tree.stopped:
            return best
        if score < best:
            best, best_joint = score, joint
            upper = min(upper, best)
        if best <= alpha:
            reward_reply(tree, ply, move, joint, depth)
            break
        if depth == 1 and not late and tree.bound != 0:
            bound = assured_score(tree, game, weights, ply, move)
            if bound >= upper:
                best = min(best, bound)
                break
        joint = next_reply(tree, ply, move)
    if depth > 1:
        table.save(tree, key, depth, ply, best, table.bound_for(best, alpha, beta), best_joint)
    return best


@njit
def assured_score(tree: Any, game: Any, weights: Any, ply: int, move: int) -> int:
    """What my move brings at least when all have moved, as the evaluator says before they do."""
    board = tree.boards[ply]
    if living_others(board, tree.you) < CROWD:
        return -INFINITE
    tree.evaluations += 1
    bound = call_bound(tree.bound, game, board, weights, tree.you, move)
    return heuristic(bound) if bound > -np.inf else -INFINITE


@njit
def looks_shallower(tree: Any, depth: int) -> bool:
    """Whether what comes after the first choice is first looked at one turn less deep."""
    return tree.reduces != 0 and depth >= LATE_DEPTH


@njit
def after_turn(
    tree: Any, game: Any, weights: Any, ply: int, depth: int, joint: int, alpha: int, beta: int
) -> int:
    """The score of the position that a joint move leads to, as `reply` says it. Counts a node."""
    if not counts_node(tree):
        return alpha
    board = tree.boards[ply + 1]
    joint = play_reply(tree, game, ply, joint)
    tree.line_length[ply + 1] = 0
    others = living_others(board, tree.you)
    alone = tree.contested != 0 and others == 0
    if not is_alive(board, tree.you):
        score = draw_at(ply + 1) if alone else loss_at(ply + 1)
    elif alone:
        score = win_at(ply + 1)
    elif depth == 1:
        tree.evaluations += 1
        score = heuristic(call_evaluator(tree.evaluator, game, board, weights, tree.you))
    else:
        score = my_decision(tree, game, weights, ply + 1, depth - 1, alpha, beta)
    if alpha < score < beta:
        keep_reply_line(tree, ply, joint)
    return score


@njit
def play_reply(tree: Any, game: Any, ply: int, joint: int) -> int:
    """Plays a turn from a ply's board on the next one's; the joint move that was played.

    Who is too far away to choose is not to die of the choice made for it: it stands still instead.
    """
    board = tree.boards[ply + 1]
    copy_record(board, tree.boards[ply])
    play(game, board, joint)
    if tree.far[ply] == 0:
        return joint
    dead = tree.far[ply]
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            dead &= ~(1 << snake)
    if dead != 0:
        joint |= dead << STILL
        copy_record(board, tree.boards[ply])
        play(game, board, joint)
    return joint


@njit
def my_decision(tree: Any, game: Any, weights: Any, ply: int, depth: int, alpha: int, beta: int) -> int:
    """The score of a position `depth` turns deep, as `reply` says it: the best of my moves."""
    key = table.key_of(tree.boards[ply])
    tree.keys[ply] = key
    data = table.probe(tree, key)
    if data != 0 and beta - alpha == 1 and table.decides(data, ply, depth, beta):
        return table.score_of(data, ply)
    find_legal_moves(game, tree, ply)
    first = table.move_in(data) if data != 0 else NO_MOVE
    moves = int(tree.legal[ply, tree.you])
    best, best_move, lower = -INFINITE, NO_MOVE, alpha
    while moves != 0:
        late = best_move != NO_MOVE
        move = pick_move(tree, ply, tree.you, moves, first, late)
        moves ^= 1 << move
        upper = min(beta, lower + 1) if late else beta
        score = upper
        if late and looks_shallower(tree, depth):
            score = call_reply(tree.search, tree, game, weights, ply, depth - 1, move, lower, upper)
        if score > lower:
            score = call_reply(tree.search, tree, game, weights, ply, depth, move, lower, upper)
        if upper <= score < beta:
            score = call_reply(tree.search, tree, game, weights, ply, depth, move, score - 1, beta)
        if tree.stopped:
            return best
        if score > best:
            best, best_move = score, move
            if score > lower:
                lower = score
                keep_line(tree, ply)
        if best >= beta:
            reward_move(tree, ply, tree.you, move, depth)
            break
    table.save(tree, key, depth, ply, best, table.bound_for(best, alpha, beta), best_move)
    return best


@njit
def keep_reply_line(tree: Any, ply: int, joint: int) -> None:
    """Notes the best line below my newest move: this turn, then what follows it."""
    length = tree.line_length[ply + 1]
    tree.reply_line[ply, 0] = joint
    for turn in range(length):
        tree.reply_line[ply, turn + 1] = tree.line[ply + 1, turn]
    tree.reply_length[ply] = length + 1


@njit
def keep_line(tree: Any, ply: int) -> None:
    """Notes that the line below my newest move is the best of this position."""
    for turn in range(tree.reply_length[ply]):
        tree.line[ply, turn] = tree.reply_line[ply, turn]
    tree.line_length[ply] = tree.reply_length[ply]
