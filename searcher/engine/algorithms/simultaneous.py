"""Simultaneous moves on equal terms: each turn is a matrix game, of my moves and the others' joint moves.

The others act as one side that wants my score small. With more joint moves than a matrix has room for
(more than 64) they know my move, as in `paranoid`: the matrix has one column, the least of the replies.

A position `depth` turns deep is worth the value of its matrix A, whose entries are the scores one turn later,
`depth - 1` turns deep. A draw counts 0, in the middle: were it nearly a loss, equal snakes would fear every
head-to-head. With `lower` the greatest of the rows' least entries and `upper` the least of the columns'
greatest, the value is

- lower, if lower = upper: both orders of moving agree;
- lower, if that is a win: a win is proven by one move that wins against all replies, as in `paranoid`;
- upper, if that is a loss: a loss is proven by one reply that beats all moves;
- else the value of A in mixed strategies, a loss in t turns counted as the negative of a win in t turns,
  rounded to a whole number and clamped to a heuristic: what is left to chance is proven for nobody.

That grows with every entry. So the matrix of what the entries are at least bounds the value from below, that
of what they are at most from above, and entries are looked at only as long as the bounds leave the question
open: first for the two orders of moving, by null windows, as alpha-beta does; where they disagree, those
that both sides hope for in the mixed solutions of the bounds. Source: Bosansky, Lisy, Lanctot, Cermak
and Winands, "Algorithms for computing strategies in two-player simultaneous move games" (2016): backward
induction with serialized alpha-beta bounds, and the double oracle's choice of what to look at.
"""

from typing import Any

from numba import int64, njit

from searcher.engine.algorithms.payoff_matrix import (
    HIGH,
    LOW,
    MINE,
    NO_ENTRY,
    THEIRS,
    bounds_of_worth,
    column_of,
    entry_at,
    favourite,
    forget_entries,
    joint_of,
    likeliest,
    list_moves,
    next_mixed,
    next_pure,
    own_state,
    row_of,
    safest,
    secured,
)
from searcher.engine.jit.intrinsics import call_evaluator, call_search, copy_record
from searcher.engine.rules.board import is_alive, living_others
from searcher.engine.rules.joint import move_of
from searcher.engine.rules.turn import play
from searcher.engine.search import table
from searcher.engine.search.clock import count_node
from searcher.engine.search.kernels import SearchKernel
from searcher.engine.search.ordering import (
    NO_MOVE,
    first_reply,
    generate_moves,
    next_reply,
    update_history,
    update_killer,
)
from searcher.engine.search.score import INFINITE, heuristic, loss_at, win_at

CLOSE = 0.01
"""Bounds of a mixed value that are nearer to each other, in units of the score, are taken for equal."""

UNDECIDED = INFINITE + 1
"""In place of a score: nothing says it yet."""


def joint_node(
    state: Any, game: Any, weights: Any, ply: int, depth: int, joint: int, alpha: int, beta: int
) -> int:
    """The score `depth` turns deep of the position that a joint move leads to, if within (alpha, beta).

    Outside of the window it is a bound: a value <= alpha says "at most", one >= beta "at least". The
    value means nothing once `state.stopped` is set. The legal moves of this ply must have been found.
    With NO_MOVE for the joint move it is the score of the root itself; left in the state are then its two
    matrices, their odds, and a line for each of my moves in `reply_pv`.
    This is the one function of the search with an address: it calls itself by `state.search`.
    """
    if joint != NO_MOVE:
        score = after_turn(state, game, weights, ply, depth, joint)
        if state.stopped:
            return alpha
        if score != UNDECIDED:
            return score
        ply, depth = ply + 1, depth - 1
    score = value(state, game, weights, ply, depth, alpha, beta)
    if ply == 0 and not state.stopped:
        bounds_of_worth(state, ply)
        write_lines(state, game, ply, depth)
    return score


@njit
def after_turn(state: Any, game: Any, weights: Any, ply: int, depth: int, joint: int) -> int:
    """Plays a joint move: the score if all is over or no turn is left, else UNDECIDED. Counts a node."""
    if not count_node(state):
        return UNDECIDED
    board = state.boards[ply + 1]
    copy_record(board, state.boards[ply])
    play(game, board, joint)
    others = living_others(board, state.you)
    alone = state.contested != 0 and others == 0
    if not is_alive(board, state.you):
        return heuristic(0.0) if alone else loss_at(ply + 1)
    if alone:
        return win_at(ply + 1)
    if depth > 1:
        return UNDECIDED
    state.evaluations += 1
    return heuristic(call_evaluator(state.evaluator, game, board, weights, state.you))


@njit
def value(state: Any, game: Any, weights: Any, ply: int, depth: int, alpha: int, beta: int) -> int:
    """The score of a position `depth` turns deep, as `reply` says it."""
    key = table.key_of(state.boards[ply])
    data = table.probe(state, key)
    if ply > 0:
        if data != 0 and table.depth_of(data) >= depth:
            known, bound = table.score_of(data, ply), table.bound_of(data)
            if bound == table.EXACT or (known >= beta if bound == table.LOWER_BOUND else known <= alpha):
                return known
        generate_moves(game, state, ply)
    list_moves(state, ply)
    forget_entries(state, ply)
    tt_entry = table.move_in(data) if data != 0 else favourite(state, ply)
    score = pure(state, game, weights, ply, depth, tt_entry, alpha, beta)
    mixed = score == UNDECIDED
    if mixed:
        score = mix(state, game, weights, ply, depth, alpha, beta)
    if state.stopped:
        return alpha
    best = likeliest(state, ply) if mixed else safest(state, ply)
    update_histories(state, ply, depth, best, score > alpha, score < beta)
    table.save(state, key, depth, ply, score, table.bound_for(score, alpha, beta), best)
    return score


@njit
def pure(
    state: Any, game: Any, weights: Any, ply: int, depth: int, tt_entry: int, alpha: int, beta: int
) -> int:
    """The score as `reply` says it, if the two orders of moving agree on it; else UNDECIDED."""
    while not state.stopped:
        lower, upper = secured(state, ply, MINE)[1], -secured(state, ply, THEIRS)[1]
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
        entry, low, high = next_pure(state, ply, MINE, tt_entry, alpha, beta)
        if entry == NO_ENTRY:
            entry, low, high = next_pure(state, ply, THEIRS, tt_entry, -beta, -alpha)
            low, high = -high, -low
        if entry == NO_ENTRY:
            return UNDECIDED
        look(state, game, weights, ply, depth, entry, low, high)
    return alpha


@njit
def mix(state: Any, game: Any, weights: Any, ply: int, depth: int, alpha: int, beta: int) -> int:
    """The score as `reply` says it, by the mixed solutions of the bounds; leaves their odds in the state."""
    while not state.stopped:
        lower, upper = bounds_of_worth(state, ply)
        entry = next_mixed(state, ply)
        if round(lower) >= beta or upper - lower < CLOSE or entry == NO_ENTRY:
            return round(lower)
        if round(upper) <= alpha:
            return round(upper)
        row, column = row_of(entry), column_of(entry)
        low, high = state.own.matrix[ply, LOW, row, column], state.own.matrix[ply, HIGH, row, column]
        look(state, game, weights, ply, depth, entry, low - 1, high + 1)
    return alpha


@njit
def look(
    state: Any, game: Any, weights: Any, ply: int, depth: int, entry: int, alpha: int, beta: int
) -> None:
    """Looks at an entry in a window, and notes what that says of it."""
    if state.own.crowded[ply]:
        score = least_reply(state, game, weights, ply, depth, entry, alpha, beta)
    else:
        joint = joint_of(state, ply, entry)
        score = call_search(state.search, state, game, weights, ply, depth, joint, alpha, beta)
    if state.stopped:
        return
    # A leaf is exact whatever the window.
    exact = alpha < score < beta or (depth == 1 and not state.own.crowded[ply])
    row, column = row_of(entry), column_of(entry)
    if exact or score >= beta:
        state.own.matrix[ply, LOW, row, column] = max(state.own.matrix[ply, LOW, row, column], score)
    if exact or score <= alpha:
        state.own.matrix[ply, HIGH, row, column] = min(state.own.matrix[ply, HIGH, row, column], score)


@njit
def least_reply(
    state: Any, game: Any, weights: Any, ply: int, depth: int, entry: int, alpha: int, beta: int
) -> int:
    """The entry of a crowd: the least of all replies to my move, within the window as `reply` says it."""
    move = int64(state.order[ply, state.you, row_of(entry)])
    best, upper = INFINITE, beta
    joint = first_reply(state, game, ply, depth, move, state.killer[ply, move])
    while joint >= 0 and not state.stopped:
        score = call_search(state.search, state, game, weights, ply, depth, joint, alpha, upper)
        best = min(best, score)
        upper = min(upper, best)
        if best <= alpha:
            update_killer(state, ply, move, joint, depth)
            break
        joint = next_reply(state, ply, move)
    return best


@njit
def update_histories(state: Any, ply: int, depth: int, entry: int, mine: bool, theirs: bool) -> None:
    """Remembers the moves of an entry: mine if they brought much, the others' if they left me little."""
    joint = joint_of(state, ply, entry)
    for snake in range(len(state.boards[ply].head)):
        if snake == state.you:
            good = mine
        else:
            good = theirs and state.choices[ply, snake] != 0 and state.own.crowded[ply] == 0
        if good:
            update_history(state, ply, snake, move_of(joint, snake), depth)


@njit
def write_lines(state: Any, game: Any, root: int, depth: int) -> None:
    """Writes the likeliest line below each of my moves at the root, as far as the table has it."""
    column = column_of(likeliest(state, root))
    for row in range(state.own.rows[root]):
        entry = entry_at(row, column)
        for ply in range(root, root + depth):
            joint = likely_joint(state, game, ply, depth, entry)
            state.reply_pv[row, ply] = joint
            state.reply_pv_length[row] = ply + 1
            board = state.boards[ply + 1]
            copy_record(board, state.boards[ply])
            play(game, board, joint)
            data = table.probe(state, table.key_of(board))
            if data == 0:
                break
            generate_moves(game, state, ply + 1)
            list_moves(state, ply + 1)
            entry = table.move_in(data)


@njit
def likely_joint(state: Any, game: Any, ply: int, depth: int, entry: int) -> int:
    """The joint move of an entry; of a crowd with the reply that last refuted my move."""
    if state.own.crowded[ply]:
        move = int64(state.order[ply, state.you, row_of(entry)])
        return first_reply(state, game, ply, depth, move, state.killer[ply, move])
    return joint_of(state, ply, entry)


SIMULTANEOUS = SearchKernel(joint_node, own_state)
