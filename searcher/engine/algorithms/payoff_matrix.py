"""The entries of a turn's matrix game: their known bounds, and the next entry to search.

A row is one of my legal moves, a column a joint move of the opponents. Both are numbered by direction,
columns with the first snake's move changing fastest, so a number means the same in each search of the
position.
"""

from functools import cache
from typing import Any

import numpy as np

from searcher.engine.jit.decorator import njit
from searcher.engine.jit.words import int64
from searcher.engine.rules.board import is_alive, move_bits
from searcher.engine.rules.records import Shape
from searcher.engine.search.kernels import MAX_DEPTH
from searcher.engine.search.matrix import tableau_width
from searcher.engine.search.score import INFINITE, loss_at, win_at

# The compiler gives each plain integer a separate type, and would compile functions for each of them.
LOWER, UPPER = np.int64(0), np.int64(1)
"""The two matrices of a ply: the lower and the upper bounds of its entries."""

ROW_PLAYER, COLUMN_PLAYER = np.int64(1), np.int64(-1)
"""The sides: me and the opponents. Both maximize, because the column player's payoffs are negated."""

COLUMN_BITS = 6
"""The number of an entry is (row << COLUMN_BITS) | column."""

NO_ENTRY = -1

MAX_COLUMNS = 1 << COLUMN_BITS
"""The largest number of the opponents' joint moves that get a column each."""


@cache
def own_state(shape: Shape) -> np.dtype[np.void]:
    """Return the record of the state that the simultaneous search keeps in addition to the shared state.

    rows, columns: by ply, the size of the turn's matrix. crowded: by ply, whether one column stands for all
    replies. matrix: by ply, a lower and an upper bound of each entry. row_strategy, column_strategy: the
    mixed strategies that solve the two matrices of the last solved ply. tableau: the simplex method's working
    memory.
    """
    plies, columns = MAX_DEPTH + 1, min(4 ** (shape.snakes - 1), MAX_COLUMNS)
    return np.dtype(
        [
            ("rows", np.int64, (plies,)),
            ("columns", np.int64, (plies,)),
            ("crowded", np.int64, (plies,)),
            ("matrix", np.int32, (plies, 2, 4, columns)),
            ("row_strategy", np.float64, (2, 4)),
            ("column_strategy", np.float64, (2, columns)),
            ("tableau", np.float64, (4 + 1, tableau_width(4, columns))),
        ],
        align=True,
    )


@njit
def list_moves(state: Any, ply: int) -> None:
    """List every living snake's legal moves and count rows and columns. A crowd's replies share one column.

    My own snake gets no choices, as the odometer of replies requires.
    """
    columns = 1
    for snake in range(len(state.boards[ply].head)):
        count = 0
        if is_alive(state.boards[ply], snake):
            for direction in range(4):
                if (state.legal[ply, snake] >> direction) & 1:
                    state.order[ply, snake, count] = direction
                    count += 1
        if snake == state.you:
            state.own.rows[ply] = count
            count = 0
        state.choices[ply, snake] = count
        columns *= max(count, 1)
    state.own.crowded[ply] = int(columns > state.own.matrix.shape[3])
    state.own.columns[ply] = 1 if state.own.crowded[ply] else columns


@njit
def reset_bounds(state: Any, ply: int) -> None:
    """Reset every entry to the widest bounds: the game does not end before the turn."""
    for row in range(state.own.rows[ply]):
        for column in range(state.own.columns[ply]):
            state.own.matrix[ply, LOWER, row, column] = loss_at(ply + 1)
            state.own.matrix[ply, UPPER, row, column] = win_at(ply + 1)


@njit
def entry_at(row: int, column: int) -> int:
    """Return the number of an entry."""
    return (row << COLUMN_BITS) | column


@njit
def row_of(entry: int) -> int:
    """Return the row of an entry."""
    return entry >> COLUMN_BITS


@njit
def column_of(entry: int) -> int:
    """Return the column of an entry."""
    return entry & ((1 << COLUMN_BITS) - 1)


@njit
def joint_of(state: Any, ply: int, entry: int) -> int:
    """Return the joint move of an entry, or one of the joint moves of a crowd's entry."""
    joint = move_bits(state.you, int64(state.order[ply, state.you, row_of(entry)]))
    column = column_of(entry)
    for snake in range(len(state.boards[ply].head)):
        choices = int64(state.choices[ply, snake])
        if choices != 0:
            joint |= move_bits(snake, int64(state.order[ply, snake, column % choices]))
            column //= choices
    return joint


@njit
def best_history_entry(state: Any, ply: int) -> int:
    """Return the entry of the moves with the best history."""
    row, column, radix = 0, 0, 1
    for snake in range(len(state.boards[ply].head)):
        if snake == state.you:
            row = best_history_choice(state, ply, snake, state.own.rows[ply])
        elif state.choices[ply, snake] != 0:
            choices = int64(state.choices[ply, snake])
            column += radix * best_history_choice(state, ply, snake, choices)
            radix *= choices
    return entry_at(row, 0 if state.own.crowded[ply] else column)


@njit
def best_history_choice(state: Any, ply: int, snake: int, choices: int) -> int:
    """Return the index of the move with the best history among a snake's listed moves."""
    head = state.boards[ply].head[snake]
    best, best_history = 0, -1
    for choice in range(choices):
        history = state.history[snake, head, state.order[ply, snake, choice]]
        if history > best_history:
            best, best_history = choice, history
    return best


@njit
def entry_for(side: int, own: int, other: int) -> int:
    """Return the entry of a side's pure strategy and a pure strategy of the other side."""
    return entry_at(own, other) if side == ROW_PLAYER else entry_at(other, own)


@njit
def strategy_count(state: Any, ply: int, side: int) -> int:
    """Return the number of a side's pure strategies."""
    return int(state.own.rows[ply] if side == ROW_PLAYER else state.own.columns[ply])


@njit
def payoff(state: Any, ply: int, bound: int, side: int, own: int, other: int) -> int:
    """Return a side's payoff of an entry in one of the two matrices, LOWER or UPPER."""
    if side == ROW_PLAYER:
        return int(state.own.matrix[ply, bound, own, other])
    return -int(state.own.matrix[ply, bound, other, own])


@njit
def lower_payoff(state: Any, ply: int, side: int, own: int, other: int) -> int:
    """Return the lower bound of a side's payoff of an entry."""
    return payoff(state, ply, LOWER if side == ROW_PLAYER else UPPER, side, own, other)


@njit
def upper_payoff(state: Any, ply: int, side: int, own: int, other: int) -> int:
    """Return the upper bound of a side's payoff of an entry."""
    return payoff(state, ply, UPPER if side == ROW_PLAYER else LOWER, side, own, other)


@njit
def security(state: Any, ply: int, bound: int, side: int) -> tuple[int, int]:
    """Return a side's maximin pure strategy in one of the two matrices, and its security level."""
    best, best_payoff = 0, -INFINITE
    for own in range(strategy_count(state, ply, side)):
        worst = INFINITE
        for other in range(strategy_count(state, ply, -side)):
            worst = min(worst, payoff(state, ply, bound, side, own, other))
        if worst > best_payoff:
            best, best_payoff = own, worst
    return best, best_payoff


@njit
def proven_security(state: Any, ply: int, side: int) -> tuple[int, int]:
    """Return a side's maximin pure strategy by the lower bounds of its payoffs, and its security level."""
    return security(state, ply, LOWER if side == ROW_PLAYER else UPPER, side)


@njit
def optimistic_strategy(
    state: Any, ply: int, side: int, first: int, alpha: int, beta: int
) -> tuple[int, int, int]:
    """Return the pure strategy of a side with the highest upper bound of its security level, and two bounds.

    The first is this upper bound. The second is the highest upper bound below beta among the levels of all
    strategies of the side. Bounds are clamped to the window. Ties go to the first strategy from `first` on,
    going round.
    """
    count = strategy_count(state, ply, side)
    best, best_upper, highest_below_beta = 0, -INFINITE, alpha
    for step in range(count):
        own = (first + step) % count
        upper = beta
        for other in range(strategy_count(state, ply, -side)):
            upper = min(upper, upper_payoff(state, ply, side, own, other))
        upper = max(upper, alpha)
        if upper < beta:
            highest_below_beta = max(highest_below_beta, upper)
        if upper > best_upper:
            best, best_upper = own, upper
    return best, best_upper, highest_below_beta


@njit
def pessimistic_response(state: Any, ply: int, side: int, own: int, first: int) -> int:
    """Return the other side's pure strategy that minimizes the lower bound of the payoff of `own`.

    Ties go to the first strategy from `first` on, going round.
    """
    count = strategy_count(state, ply, -side)
    best, best_payoff = 0, INFINITE
    for step in range(count):
        other = (first + step) % count
        lower = lower_payoff(state, ply, side, own, other)
        if lower < best_payoff:
            best, best_payoff = other, lower
    return best


@njit
def next_pure_entry(
    state: Any, ply: int, side: int, first: int, alpha: int, beta: int
) -> tuple[int, int, int]:
    """Return the entry to search next for a side's security level, and the window to search it in.

    Return NO_ENTRY if the security level is known, as far as it lies within the window (alpha, beta). As in
    principal variation search an entry is first searched in a null window. In this window, the entry must be
    worse than its strategy's other entries, or make its strategy better than the best known strategy.
    """
    my_first, their_first = row_of(first), column_of(first)
    own_first, other_first = (my_first, their_first) if side == ROW_PLAYER else (their_first, my_first)
    own, upper, highest_below_beta = optimistic_strategy(state, ply, side, own_first, alpha, beta)
    other = pessimistic_response(state, ply, side, own, other_first)
    lower = max(lower_payoff(state, ply, side, own, other), alpha)
    entry = entry_for(side, own, other)
    if lower >= upper:
        return NO_ENTRY, 0, 0
    if lower > alpha or upper_payoff(state, ply, side, own, other) < beta:
        return entry, max(lower - 1, alpha), upper
    if upper < beta:
        return entry, upper - 1, upper
    return entry, highest_below_beta, highest_below_beta + 1 if highest_below_beta > alpha else beta


@njit
def security_entry(state: Any, ply: int) -> int:
    """Return the entry of both sides' maximin pure strategies."""
    row, _ = proven_security(state, ply, ROW_PLAYER)
    column, _ = proven_security(state, ply, COLUMN_PLAYER)
    return entry_at(row, column)
