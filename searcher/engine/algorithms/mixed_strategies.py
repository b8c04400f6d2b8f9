"""The value of a turn's matrix game in mixed strategies, bounded by the values of two matrices of bounds."""

from typing import Any

from searcher.engine.algorithms.payoff_matrix import (
    COLUMN_PLAYER,
    LOWER,
    NO_ENTRY,
    ROW_PLAYER,
    UPPER,
    entry_at,
    security,
)
from searcher.engine.jit.decorator import njit
from searcher.engine.search.matrix import solve
from searcher.engine.search.score import DRAW, HEURISTIC_LIMIT, MAX_TURNS


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
    """Return both bounds of the position's value; leave the strategies of both solutions in the state."""
    return matrix_value(state, ply, LOWER), matrix_value(state, ply, UPPER)


@njit
def next_mixed_entry(state: Any, ply: int) -> int:
    """Return the unknown entry that is most probable if both sides play their optimistic strategies.

    Return NO_ENTRY if all entries are known. If all entries in the support of the optimistic strategies are
    known, the two bounds of the value are equal: what I hope for is what the opponents have to fear.
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
    """Return the entry of each side's most probable move, by the strategies in the state."""
    row, column = 0, 0
    for i in range(state.own.rows[ply]):
        if state.own.row_strategy[LOWER, i] > state.own.row_strategy[LOWER, row]:
            row = i
    for j in range(state.own.columns[ply]):
        if state.own.column_strategy[UPPER, j] > state.own.column_strategy[UPPER, column]:
            column = j
    return entry_at(row, column)
