"""Paranoid minimax: all opponents play against me and know my move.

The search treats a turn as sequential: I choose first, then the opponents choose, knowing my choice. The turn
itself follows the rules, so all snakes move simultaneously. Scores are mine. Pruning is alpha-beta (Knuth and
Moore, 1975) with principal variation search (Marsland and Campbell, 1982). The first move of a node gets the
whole window. A later move gets the whole window only if a null window shows that it may be better. The search
adds no random food to the board. Hazards that close in do their expected damage.

If `state.reduces` is set, the search leaves out work. Late moves are first searched one turn less deep. An
opponent too far away to matter makes only its first move in the order of the search, unless I win against
this move. In each reply, at most one opponent makes a move other than its first move. So with three or more
snakes a win is not proven, but a loss still consists of legal moves. In a duel, bounds on the lives of both
snakes replace the search if they decide the game (`features.endgame`).
"""

import numpy as np

from searcher.engine.features.endgame import decided_in
from searcher.engine.jit import intrinsics
from searcher.engine.jit.decorator import njit
from searcher.engine.rules.board import is_alive, move_of, with_move
from searcher.engine.rules.records import Game, Weights
from searcher.engine.search import table
from searcher.engine.search.clock import count_node
from searcher.engine.search.kernels import SearchKernel
from searcher.engine.search.ordering import (
    NO_MOVE,
    first_reply,
    generate_moves,
    next_reply,
    pick_move,
    release_far_snakes,
    update_history,
    update_killer,
)
from searcher.engine.search.ply import (
    UNDECIDED,
    evaluate,
    play_ply,
    terminal_score,
    update_pv,
    update_reply_pv,
)
from searcher.engine.search.score import HEURISTIC_LIMIT, INFINITE, loss_at, win_at
from searcher.engine.search.state import State

LMR_MIN_DEPTH = 5
"""From this depth on, in turns, late moves are first searched one turn less deep."""

ENDGAME_MIN_DEPTH = 4
"""From this depth on, in turns, a search takes longer than the test whether a duel is decided."""

DUEL = 2
"""The number of snakes that the records of a duel hold."""


@njit
def min_node(
    state: State, game: Game, weights: Weights, ply: int, depth: int, move: int, alpha: int, beta: int
) -> int:
    """Return the score of my move `depth` turns deep: the least score of all replies to it.

    The score is exact inside the window (alpha, beta). Outside it is a bound: a value <= alpha is an upper
    bound, a value >= beta a lower bound. After a stop (`state.stopped`) the value is meaningless. The legal
    moves of this ply must have been generated. The search calls this function recursively, by the address in
    `state.search`.
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
            score = search_joint(state, game, weights, ply, depth - 1, joint, lower, upper)
        if score < upper:
            score = search_joint(state, game, weights, ply, depth, joint, lower, upper)
        if alpha < score <= lower:
            score = search_joint(state, game, weights, ply, depth, joint, alpha, score + 1)
        if state.stopped:
            return best
        if score < best:
            best, best_joint = score, joint
            upper = min(upper, best)
        if best <= alpha:
            update_killer(state, ply, move, joint, depth)
            break
        joint = next_reply(state, ply, move)
        # A win may be due to the moves that were left out.
        if joint == NO_MOVE and best >= HEURISTIC_LIMIT and release_far_snakes(state, ply):
            joint = next_reply(state, ply, move)
    if depth > 1:
        table.save(state, key, depth, ply, best, table.bound_for(best, alpha, beta), best_joint)
    return best


@njit
def reduces_late_moves(state: State, depth: int) -> bool:
    """Return whether late moves are first searched one turn less deep at this depth."""
    return state.reduces != 0 and depth >= LMR_MIN_DEPTH


@njit
def search_joint(
    state: State, game: Game, weights: Weights, ply: int, depth: int, joint: int, alpha: int, beta: int
) -> int:
    """Return the score of the position that a joint move leads to, with the bounds of `min_node`.

    Counts a node.
    """
    if not count_node(state):
        return alpha
    joint = play_sparing_far_snakes(state, game, ply, joint)
    state.pv_length[ply + 1] = 0
    score = terminal_score(state, ply + 1)
    if score == UNDECIDED:
        if depth == 1:
            score = evaluate(state, game, weights, ply + 1, state.you)
        else:
            score = max_node(state, game, weights, ply + 1, depth - 1, alpha, beta)
    if alpha < score < beta:
        update_reply_pv(state, ply, joint)
    return score


@njit
def play_sparing_far_snakes(state: State, game: Game, ply: int, joint: int) -> int:
    """Play a joint move from a ply's board onto the next ply's board, and return the joint move as played.

    A far snake is limited to one move. If that move would kill the snake, it makes its first move that does
    not. If each of its moves would kill it, it dies. If it stood still instead, I could run into
    its tail.
    """
    play_ply(state, game, ply, joint)
    if state.far[ply] == 0:
        return joint
    board = state.boards[ply + 1]
    for snake in range(len(board.head)):
        if (state.far[ply] >> snake) & 1 and not is_alive(board, snake):
            joint = play_surviving_move(state, game, ply, joint, snake)
    return joint


@njit
def play_surviving_move(state: State, game: Game, ply: int, joint: int, snake: int) -> int:
    """Play a joint move as `play_sparing_far_snakes` does for one far snake, which dies in it."""
    moves = int(state.legal[ply, snake]) & ~(1 << move_of(joint, snake))
    while moves != 0:
        move = pick_move(state, ply, snake, moves, NO_MOVE, True)
        moves ^= 1 << move
        other = with_move(joint, snake, move)
        play_ply(state, game, ply, other)
        if is_alive(state.boards[ply + 1], snake):
            return other
    play_ply(state, game, ply, joint)
    return joint


@njit
def max_node(state: State, game: Game, weights: Weights, ply: int, depth: int, alpha: int, beta: int) -> int:
    """Return the score of my best move in a position, `depth` turns deep, with the bounds of `min_node`."""
    key = table.key_of(state.boards[ply])
    state.keys[ply] = key
    data = table.probe(state, key)
    if data != 0 and beta - alpha == 1 and table.allows_cutoff(data, ply, depth, beta):
        return table.score_of(data, ply)
    turns = decided_turns(state, game, ply, depth)
    if turns > 0:
        return win_at(ply + turns)
    if turns < 0 and loss_at(ply - turns) <= alpha:
        return loss_at(ply - turns)
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
            score = intrinsics.call_search(
                state.search, state, game, weights, ply, depth - 1, move, lower, upper
            )
        if score > lower:
            score = intrinsics.call_search(state.search, state, game, weights, ply, depth, move, lower, upper)
        if upper <= score < beta:
            score = intrinsics.call_search(
                state.search, state, game, weights, ply, depth, move, score - 1, beta
            )
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


@njit
def decided_turns(state: State, game: Game, ply: int, depth: int) -> int:
    """Return `decided_in` of a ply's board. If the call would take longer than the search, return 0.

    A negative value stands for a loss, but only bounds the number of turns that I survive. If the exact
    number matters, search on.
    """
    if len(state.boards[ply].head) != DUEL or state.reduces == 0 or depth < ENDGAME_MIN_DEPTH:
        return 0
    return decided_in(game, state.boards[ply], state.you)


PARANOID = SearchKernel(min_node.py_func)
