"""The entries of a turn's matrix game: what bounds are known of them, and which to look at next.

A row is one of my legal moves, a column a joint move of the others. Both are numbered by direction, columns
with the first snake's choice changing fastest, so that a number means the same whenever it is met.
"""

from functools import cache
from typing import Any

import numpy as np
from numba import int64, njit

from searcher.engine.rules.board import is_alive
from searcher.engine.rules.records import Shape
from searcher.engine.search.matrix import solve, tableau_width
from searcher.engine.search.score import DRAW, HEURISTIC_LIMIT, INFINITE, MAX_TURNS, loss_at, win_at
from searcher.engine.search.thread_state import MAX_DEPTH

# Plain integers would be types of their own to the compiler, and their functions compiled for each of them.
LOW, HIGH = np.int64(0), np.int64(1)
"""The two matrices of a ply: what each entry is at least, and at most."""

MINE, THEIRS = np.int64(1), np.int64(-1)
"""The two sides. For theirs a matrix is turned and negated, so that both want much."""

COLUMN_BITS = 6
"""An entry's number: its row, then its column in so many bits."""

NO_ENTRY = -1

MAX_COLUMNS = 1 << COLUMN_BITS
"""The most joint moves of the opponents that a turn's matrix has a column for."""


@cache
def own_state(shape: Shape) -> np.dtype[np.void]:
    """Return the record of the state that the simultaneous search keeps besides the shared one.

    rows, columns: by ply, of a turn's matrix. crowded: by ply, whether one column stands for all replies.
    matrix: by ply, a lower and an upper bound of each entry. row_strategy, column_strategy: the mixed
    strategies that solve these two matrices, of the ply last solved. tableau: memory to solve one.
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
    """Lists every living snake's legal moves and counts rows and columns; a crowd's replies are one column.

    The choices of my own snake are left at none, as the odometer of replies wants it.
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
def forget_entries(state: Any, ply: int) -> None:
    """Nothing is known of the entries but that the game does not end before the turn."""
    for row in range(state.own.rows[ply]):
        for column in range(state.own.columns[ply]):
            state.own.matrix[ply, LOW, row, column] = loss_at(ply + 1)
            state.own.matrix[ply, HIGH, row, column] = win_at(ply + 1)


@njit
def entry_at(row: int, column: int) -> int:
    """The number of an entry."""
    return (row << COLUMN_BITS) | column


@njit
def row_of(entry: int) -> int:
    """The row of an entry."""
    return entry >> COLUMN_BITS


@njit
def column_of(entry: int) -> int:
    """The column of an entry."""
    return entry & ((1 << COLUMN_BITS) - 1)


@njit
def joint_of(state: Any, ply: int, entry: int) -> int:
    """The joint move of an entry; of a crowd one of them."""
    joint = int64(state.order[ply, state.you, row_of(entry)]) << (2 * state.you)
    column = column_of(entry)
    for snake in range(len(state.boards[ply].head)):
        choices = int64(state.choices[ply, snake])
        if choices != 0:
            joint |= int64(state.order[ply, snake, column % choices]) << (2 * snake)
            column //= choices
    return joint


@njit
def favourite(state: Any, ply: int) -> int:
    """The entry of the moves that have the best history."""
    row, column, radix = 0, 0, 1
    for snake in range(len(state.boards[ply].head)):
        if snake == state.you:
            row = best_choice(state, ply, snake, state.own.rows[ply])
        elif state.choices[ply, snake] != 0:
            choices = int64(state.choices[ply, snake])
            column += radix * best_choice(state, ply, snake, choices)
            radix *= choices
    return entry_at(row, 0 if state.own.crowded[ply] else column)


@njit
def best_choice(state: Any, ply: int, snake: int, choices: int) -> int:
    """Which of a snake's listed moves has the best history."""
    head = state.boards[ply].head[snake]
    best, best_history = 0, -1
    for choice in range(choices):
        history = state.history[snake, head, state.order[ply, snake, choice]]
        if history > best_history:
            best, best_history = choice, history
    return best


@njit
def entry_of(side: int, own: int, other: int) -> int:
    """The entry of a strategy of a side and one of the other's."""
    return entry_at(own, other) if side == MINE else entry_at(other, own)


@njit
def strategies(state: Any, ply: int, side: int) -> int:
    """How many a side has to choose from."""
    return int(state.own.rows[ply] if side == MINE else state.own.columns[ply])


@njit
def payoff(state: Any, ply: int, plane: int, side: int, own: int, other: int) -> int:
    """What an entry of one of the two matrices is to a side."""
    if side == MINE:
        return int(state.own.matrix[ply, plane, own, other])
    return -int(state.own.matrix[ply, plane, other, own])


@njit
def least(state: Any, ply: int, side: int, own: int, other: int) -> int:
    """What an entry brings a side at least."""
    return payoff(state, ply, LOW if side == MINE else HIGH, side, own, other)


@njit
def most(state: Any, ply: int, side: int, own: int, other: int) -> int:
    """What an entry brings a side at most."""
    return payoff(state, ply, HIGH if side == MINE else LOW, side, own, other)


@njit
def security(state: Any, ply: int, plane: int, side: int) -> tuple[int, int]:
    """A side's strategy of the greatest least payoff in one of the two matrices, and that payoff."""
    best, best_payoff = 0, -INFINITE
    for own in range(strategies(state, ply, side)):
        worst = INFINITE
        for other in range(strategies(state, ply, -side)):
            worst = min(worst, payoff(state, ply, plane, side, own, other))
        if worst > best_payoff:
            best, best_payoff = own, worst
    return best, best_payoff


@njit
def secured(state: Any, ply: int, side: int) -> tuple[int, int]:
    """The strategy by which a side secures the most, as far as is known, and how much."""
    return security(state, ply, LOW if side == MINE else HIGH, side)


@njit
def most_hopeful(state: Any, ply: int, side: int, first: int, alpha: int, beta: int) -> tuple[int, int, int]:
    """A side's strategy that may secure the most, what that is, and the most of those known to be below beta.

    Payoffs are clipped to the window. Of equals it is the one that is met first from `first` on.
    """
    count = strategies(state, ply, side)
    best, best_hope, rival = 0, -INFINITE, alpha
    for step in range(count):
        own = (first + step) % count
        hope = beta
        for other in range(strategies(state, ply, -side)):
            hope = min(hope, most(state, ply, side, own, other))
        hope = max(hope, alpha)
        if hope < beta:
            rival = max(rival, hope)
        if hope > best_hope:
            best, best_hope = own, hope
    return best, best_hope, rival


@njit
def most_doubtful(state: Any, ply: int, side: int, own: int, first: int) -> int:
    """The other side's strategy against which one of `side`'s brings the least for all that is known."""
    count = strategies(state, ply, -side)
    best, best_payoff = 0, INFINITE
    for step in range(count):
        other = (first + step) % count
        bound = least(state, ply, side, own, other)
        if bound < best_payoff:
            best, best_payoff = other, bound
    return best


@njit
def next_pure(state: Any, ply: int, side: int, first: int, alpha: int, beta: int) -> tuple[int, int, int]:
    """The entry to look at for what a side can secure, if it moved first, and the window to look in.

    NO_ENTRY if that is known as far as it lies within the window. As in principal variation search an entry
    must first show in a null window that it changes anything: that it is worse than its strategy's
    others, or that its strategy is better than the best one known.
    """
    my_first, their_first = row_of(first), column_of(first)
    own_first, other_first = (my_first, their_first) if side == MINE else (their_first, my_first)
    own, hope, rival = most_hopeful(state, ply, side, own_first, alpha, beta)
    other = most_doubtful(state, ply, side, own, other_first)
    bound = max(least(state, ply, side, own, other), alpha)
    entry = entry_of(side, own, other)
    if bound >= hope:
        return NO_ENTRY, 0, 0
    if bound > alpha or most(state, ply, side, own, other) < beta:
        return entry, max(bound - 1, alpha), hope
    if hope < beta:
        return entry, hope - 1, hope
    return entry, rival, rival + 1 if rival > alpha else beta


@njit
def worth(state: Any, ply: int, plane: int) -> float:
    """The value of one of the two matrices, as `simultaneous` defines it; leaves the odds in the state."""
    row, lower = security(state, ply, plane, MINE)
    column, upper = security(state, ply, plane, THEIRS)
    upper = -upper
    if lower == upper or lower >= HEURISTIC_LIMIT or upper < DRAW:
        state.own.row_strategy[plane] = 0.0
        state.own.column_strategy[plane] = 0.0
        state.own.row_strategy[plane, row] = 1.0
        state.own.column_strategy[plane, column] = 1.0
        return float(lower if lower >= HEURISTIC_LIMIT else upper)
    for i in range(state.own.rows[ply]):
        for j in range(state.own.columns[ply]):
            entry = state.own.matrix[ply, plane, i, j]
            state.own.tableau[i, j] = entry + MAX_TURNS if entry < DRAW else entry
    mixed = solve(
        state.own.tableau,
        state.own.rows[ply],
        state.own.columns[ply],
        state.own.row_strategy[plane],
        state.own.column_strategy[plane],
    )
    return min(max(mixed, 1.0 - HEURISTIC_LIMIT), HEURISTIC_LIMIT - 1.0)


@njit
def bounds_of_worth(state: Any, ply: int) -> tuple[float, float]:
    """What the position is worth at least and at most; leaves the odds of both in the state."""
    return worth(state, ply, LOW), worth(state, ply, HIGH)


@njit
def next_mixed(state: Any, ply: int) -> int:
    """Of the unknown entries the one that both sides most likely meet at if both hope for the best.

    NO_ENTRY if all are known. If all that the hopeful odds meet at are known, the two bounds of the value are
    equal: what I hope for is what the others have to fear.
    """
    best, best_odds = NO_ENTRY, -1.0
    for row in range(state.own.rows[ply]):
        for column in range(state.own.columns[ply]):
            odds = state.own.row_strategy[HIGH, row] * state.own.column_strategy[LOW, column]
            known = state.own.matrix[ply, LOW, row, column] == state.own.matrix[ply, HIGH, row, column]
            if not known and odds > best_odds:
                best, best_odds = entry_at(row, column), odds
    return best


@njit
def safest(state: Any, ply: int) -> int:
    """The entry of both sides' best strategies if each of them moved first."""
    return entry_at(secured(state, ply, MINE)[0], secured(state, ply, THEIRS)[0])


@njit
def likeliest(state: Any, ply: int) -> int:
    """The entry that both sides most likely meet at, by the odds in the state."""
    row, column = 0, 0
    for i in range(state.own.rows[ply]):
        if state.own.row_strategy[LOW, i] > state.own.row_strategy[LOW, row]:
            row = i
    for j in range(state.own.columns[ply]):
        if state.own.column_strategy[HIGH, j] > state.own.column_strategy[HIGH, column]:
            column = j
    return entry_at(row, column)
