"""Simultaneous moves: each turn is a matrix game of my moves against the opponents' joint moves.

The opponents act as one side that minimizes my score. If they have more joint moves than a matrix has columns
(64), they know my move, as in `paranoid`. Then the matrix has one column, the least score of the replies.

The score of a position, `depth` turns deep, is the value of its matrix A. The entries of A are the scores one
turn later, `depth - 1` turns deep. A draw counts 0, in the middle. If it were nearly a loss, equal snakes
would fear every head-to-head. With lower = max over rows of the least entry in the row, and upper = min over
columns of the greatest entry in the column, the value is

- lower, if lower = upper: the value is the same whichever side moves first;
- lower, if that is a win: a win is proven by one move that wins against all replies, as in `paranoid`;
- upper, if that is a loss: a loss is proven by one reply that beats all moves;
- else the value of A in mixed strategies, with a loss in t turns counted as the negative of a win in t turns,
  rounded to an integer and clamped to a heuristic: a result that depends on chance is proven for neither
  side.

The value is monotonic in every entry. So the matrix of the entries' lower bounds bounds the value from below,
and the matrix of their upper bounds bounds it from above. Entries are searched while these bounds differ.
First the search solves the two orders of moving, with null windows as in alpha-beta. If they disagree, it
searches the entries that both sides prefer in the mixed solutions of the bounds. Source: Bosansky, Lisy,
Lanctot, Cermak and Winands, "Algorithms for computing strategies in two-player simultaneous move games"
(2016): backward induction with serialized alpha-beta bounds, and the double oracle's choice of entries.
"""

from typing import Any

from searcher.engine.algorithms.payoff_matrix import (
    COLUMN_PLAYER,
    LOWER,
    NO_ENTRY,
    ROW_PLAYER,
    UPPER,
    best_history_entry,
    column_of,
    entry_at,
    joint_of,
    list_moves,
    next_pure_entry,
    own_state,
    proven_security,
    reset_bounds,
    row_of,
    security,
    security_entry,
)
from searcher.engine.jit import intrinsics
from searcher.engine.jit.decorator import njit
from searcher.engine.jit.words import int64
from searcher.engine.rules.board import move_of
from searcher.engine.search import table
from searcher.engine.search.clock import count_node
from searcher.engine.search.kernels import SearchKernel
from searcher.engine.search.matrix import solve
from searcher.engine.search.ordering import (
    NO_MOVE,
    first_reply,
    generate_moves,
    next_reply,
    update_history,
    update_killer,
)
from searcher.engine.search.ply import UNDECIDED, evaluate, play_ply, terminal_score
from searcher.engine.search.score import DRAW, HEURISTIC_LIMIT, INFINITE, MAX_TURNS, heuristic

VALUE_TOLERANCE = 0.01
"""The difference, in units of the score, below which bounds of a mixed value count as equal."""


def joint_node(
    state: Any, game: Any, weights: Any, ply: int, depth: int, joint: int, alpha: int, beta: int
) -> int:
    """Return the score of the position that a joint move leads to, as part of a search `depth` turns deep.

    The score is exact inside the window (alpha, beta). Outside it is a bound: a value <= alpha is an upper
    bound, a value >= beta a lower bound. After a stop (`state.stopped`) the value is meaningless. The legal
    moves of this ply must have been generated. With NO_MOVE as the joint move it is the score of the root
    itself. The state then holds the root's two matrices, the strategies that solve them, and in `reply_pv` a
    line for each of my moves. The search calls this function recursively, by the address in `state.search`.
    """
    if joint != NO_MOVE:
        score = play_joint(state, game, weights, ply, depth, joint)
        if state.stopped:
            return alpha
        if score != UNDECIDED:
            return score
        ply, depth = ply + 1, depth - 1
    score = position_score(state, game, weights, ply, depth, alpha, beta)
    if ply == 0 and not state.stopped:
        value_bounds(state, ply)
        write_root_pvs(state, game, ply, depth)
    return score


@njit
def play_joint(state: Any, game: Any, weights: Any, ply: int, depth: int, joint: int) -> int:
    """Play a joint move. Return the score if the game is over or no turn is left, or else UNDECIDED.

    Counts a node.
    """
    if not count_node(state):
        return UNDECIDED
    play_ply(state, game, ply, joint)
    score = terminal_score(state, ply + 1, heuristic(0.0))
    if score != UNDECIDED or depth > 1:
        return score
    return evaluate(state, game, weights, ply + 1, state.you)


@njit
def position_score(state: Any, game: Any, weights: Any, ply: int, depth: int, alpha: int, beta: int) -> int:
    """Return the score of a position `depth` turns deep, with the bounds of `joint_node`."""
    key = table.key_of(state.boards[ply])
    data = table.probe(state, key)
    if ply > 0:
        if data != 0 and table.depth_of(data) >= depth:
            known, bound = table.score_of(data, ply), table.bound_of(data)
            if bound == table.EXACT or (known >= beta if bound == table.LOWER_BOUND else known <= alpha):
                return known
        generate_moves(game, state, ply)
    list_moves(state, ply)
    reset_bounds(state, ply)
    tt_entry = table.move_in(data) if data != 0 else best_history_entry(state, ply)
    score = solve_pure(state, game, weights, ply, depth, tt_entry, alpha, beta)
    mixed = score == UNDECIDED
    if mixed:
        score = solve_mixed(state, game, weights, ply, depth, alpha, beta)
    if state.stopped:
        return alpha
    best = most_probable_entry(state, ply) if mixed else security_entry(state, ply)
    update_entry_history(state, ply, depth, best, score > alpha, score < beta)
    table.save(state, key, depth, ply, score, table.bound_for(score, alpha, beta), best)
    return score


@njit
def solve_pure(
    state: Any, game: Any, weights: Any, ply: int, depth: int, tt_entry: int, alpha: int, beta: int
) -> int:
    """Return the score if both orders of moving agree, with `joint_node`'s bounds, or else UNDECIDED."""
    while not state.stopped:
        lower = proven_security(state, ply, ROW_PLAYER)[1]
        upper = -proven_security(state, ply, COLUMN_PLAYER)[1]
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
        entry, low, high = next_pure_entry(state, ply, ROW_PLAYER, tt_entry, alpha, beta)
        if entry == NO_ENTRY:
            entry, low, high = next_pure_entry(state, ply, COLUMN_PLAYER, tt_entry, -beta, -alpha)
            low, high = -high, -low
        if entry == NO_ENTRY:
            return UNDECIDED
        search_entry(state, game, weights, ply, depth, entry, low, high)
    return alpha


@njit
def solve_mixed(state: Any, game: Any, weights: Any, ply: int, depth: int, alpha: int, beta: int) -> int:
    """Return the score, with the bounds of `joint_node`, from the mixed solutions of the bounds.

    Leaves the strategies of both solutions in the state.
    """
    while not state.stopped:
        lower, upper = value_bounds(state, ply)
        entry = next_mixed_entry(state, ply)
        if round(lower) >= beta or upper - lower < VALUE_TOLERANCE or entry == NO_ENTRY:
            return round(lower)
        if round(upper) <= alpha:
            return round(upper)
        row, column = row_of(entry), column_of(entry)
        low, high = state.own.matrix[ply, LOWER, row, column], state.own.matrix[ply, UPPER, row, column]
        search_entry(state, game, weights, ply, depth, entry, low - 1, high + 1)
    return alpha


@njit
def search_entry(
    state: Any, game: Any, weights: Any, ply: int, depth: int, entry: int, alpha: int, beta: int
) -> None:
    """Search an entry in a window, and tighten its bounds by the result."""
    if state.own.crowded[ply]:
        score = min_over_replies(state, game, weights, ply, depth, entry, alpha, beta)
    else:
        joint = joint_of(state, ply, entry)
        score = intrinsics.call_search(state.search, state, game, weights, ply, depth, joint, alpha, beta)
    if state.stopped:
        return
    # A leaf's score is exact, whatever the window.
    exact = alpha < score < beta or (depth == 1 and not state.own.crowded[ply])
    row, column = row_of(entry), column_of(entry)
    if exact or score >= beta:
        state.own.matrix[ply, LOWER, row, column] = max(state.own.matrix[ply, LOWER, row, column], score)
    if exact or score <= alpha:
        state.own.matrix[ply, UPPER, row, column] = min(state.own.matrix[ply, UPPER, row, column], score)


@njit
def min_over_replies(
    state: Any, game: Any, weights: Any, ply: int, depth: int, entry: int, alpha: int, beta: int
) -> int:
    """Return the score of a crowd's entry, with the bounds of `joint_node`: the least of all replies."""
    move = int64(state.order[ply, state.you, row_of(entry)])
    best, upper = INFINITE, beta
    joint = first_reply(state, game, ply, depth, move, state.killer[ply, move])
    while joint >= 0 and not state.stopped:
        score = intrinsics.call_search(state.search, state, game, weights, ply, depth, joint, alpha, upper)
        best = min(best, score)
        upper = min(upper, best)
        if best <= alpha:
            update_killer(state, ply, move, joint, depth)
            break
        joint = next_reply(state, ply, move)
    return best


@njit
def update_entry_history(
    state: Any, ply: int, depth: int, entry: int, raised_alpha: bool, below_beta: bool
) -> None:
    """Raise the history of my move if its score is above alpha, and of the others' if it is below beta."""
    joint = joint_of(state, ply, entry)
    for snake in range(len(state.boards[ply].head)):
        if snake == state.you:
            good = raised_alpha
        else:
            good = below_beta and state.choices[ply, snake] != 0 and state.own.crowded[ply] == 0
        if good:
            update_history(state, ply, snake, move_of(joint, snake), depth)


@njit
def write_root_pvs(state: Any, game: Any, root: int, depth: int) -> None:
    """Write the most probable line after each of my root moves. It ends where the table has no entry."""
    column = column_of(most_probable_entry(state, root))
    for row in range(state.own.rows[root]):
        entry = entry_at(row, column)
        for ply in range(root, root + depth):
            joint = pv_joint(state, game, ply, depth, entry)
            state.reply_pv[row, ply] = joint
            state.reply_pv_length[row] = ply + 1
            play_ply(state, game, ply, joint)
            data = table.probe(state, table.key_of(state.boards[ply + 1]))
            if data == 0:
                break
            generate_moves(game, state, ply + 1)
            list_moves(state, ply + 1)
            entry = table.move_in(data)


@njit
def pv_joint(state: Any, game: Any, ply: int, depth: int, entry: int) -> int:
    """Return the joint move of an entry. In a crowd's entry it has the reply that last refuted my move."""
    if state.own.crowded[ply]:
        move = int64(state.order[ply, state.you, row_of(entry)])
        return first_reply(state, game, ply, depth, move, state.killer[ply, move])
    return joint_of(state, ply, entry)


@njit
def matrix_value(state: Any, ply: int, bound: int) -> float:
    """Return the value of one of the two matrices, LOWER or UPPER, as `simultaneous` defines it.

    Leaves the strategies that solve it in the state.
    """
    row, lower = security(state, ply, bound, ROW_PLAYER)
    column, upper = security(state, ply, bound, COLUMN_PLAYER)
    upper = -upper
    if lower == upper or lower >= HEURISTIC_LIMIT or upper < DRAW:
        state.own.row_strategy[bound] = 0.0
        state.own.column_strategy[bound] = 0.0
        state.own.row_strategy[bound, row] = 1.0
        state.own.column_strategy[bound, column] = 1.0
        return float(lower if lower >= HEURISTIC_LIMIT else upper)
    for i in range(state.own.rows[ply]):
        for j in range(state.own.columns[ply]):
            entry = state.own.matrix[ply, bound, i, j]
            state.own.tableau[i, j] = entry + MAX_TURNS if entry < DRAW else entry
    mixed = solve(
        state.own.tableau,
        state.own.rows[ply],
        state.own.columns[ply],
        state.own.row_strategy[bound],
        state.own.column_strategy[bound],
    )
    return min(max(mixed, 1.0 - HEURISTIC_LIMIT), HEURISTIC_LIMIT - 1.0)


@njit
def value_bounds(state: Any, ply: int) -> tuple[float, float]:
    """Return both bounds of the position's value. Leave the strategies of both solutions in the state."""
    return matrix_value(state, ply, LOWER), matrix_value(state, ply, UPPER)


@njit
def next_mixed_entry(state: Any, ply: int) -> int:
    """Return the unknown entry that is most probable if both sides play their optimistic strategies.

    Return NO_ENTRY if all entries are known. If all entries in the support of the optimistic strategies are
    known, the two bounds of the value are equal.
    """
    best, best_probability = NO_ENTRY, -1.0
    for row in range(state.own.rows[ply]):
        for column in range(state.own.columns[ply]):
            probability = state.own.row_strategy[UPPER, row] * state.own.column_strategy[LOWER, column]
            known = state.own.matrix[ply, LOWER, row, column] == state.own.matrix[ply, UPPER, row, column]
            if not known and probability > best_probability:
                best, best_probability = entry_at(row, column), probability
    return best


@njit
def most_probable_entry(state: Any, ply: int) -> int:
    """Return the entry of both sides' most probable moves, by the strategies in the state."""
    row, column = 0, 0
    for i in range(state.own.rows[ply]):
        if state.own.row_strategy[LOWER, i] > state.own.row_strategy[LOWER, row]:
            row = i
    for j in range(state.own.columns[ply]):
        if state.own.column_strategy[UPPER, j] > state.own.column_strategy[UPPER, column]:
            column = j
    return entry_at(row, column)


SIMULTANEOUS = SearchKernel(joint_node, own_state)
