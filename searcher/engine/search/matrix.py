"""Small zero-sum matrix games: both sides choose at the same time.

The value and the mixed strategies of both sides are found by the simplex method (Dantzig, "A proof of the
equivalence of the programming problem and the game problem", 1951), with Bland's pivoting rule ("New finite
pivoting rules for the simplex method", 1977) against cycles. The method ends after a few pivots and is exact
except for rounding. Payoffs are scaled first, so the error is some 1e-12 of their span.
"""

from typing import Any

from searcher.engine.jit.decorator import njit

EPSILON = 1e-12
"""Numbers of a scaled tableau count as equal if their difference is less than this."""

MAX_PIVOTS = 1_000
"""The largest number of pivots, in case rounding errors defeat Bland's rule. Usually a few are enough."""

NOT_FOUND = -1
"""This number stands in place of a missing row or column."""


def tableau_width(rows: int, columns: int) -> int:
    """Return a tableau's number of columns for payoffs of this size. It has one row more than the payoffs."""
    return columns + rows + 2


@njit
def solve(tableau: Any, rows: int, columns: int, mine: Any, theirs: Any) -> float:
    """Return the value of the game to the side that chooses rows. Write both mixed strategies.

    tableau: an array of at least (rows + 1, tableau_width(rows, columns)) numbers, with the payoffs in
    its first rows and columns. It is overwritten.
    mine, theirs: arrays of at least `rows` and `columns` numbers, for the probabilities of rows and columns.
    """
    lowest, highest = tableau[0, 0], tableau[0, 0]
    for row in range(rows):
        for column in range(columns):
            lowest = min(lowest, tableau[row, column])
            highest = max(highest, tableau[row, column])
    span = highest - lowest if highest > lowest else 1.0
    build_tableau(tableau, rows, columns, lowest, span)
    for _ in range(MAX_PIVOTS):
        column = entering_column(tableau, rows, columns)
        if column == NOT_FOUND:
            break
        pivot(tableau, rows, columns, leaving_row(tableau, rows, columns, column), column)
    return (read_strategies(tableau, rows, columns, mine, theirs) - 1.0) * span + lowest


@njit
def build_tableau(tableau: Any, rows: int, columns: int, lowest: float, span: float) -> None:
    """Build the linear program: maximize the sum of the columns' weights while no row's payoff exceeds 1.

    Payoffs are scaled to between 1 and 2. To their right come a slack column for each row, a column with the
    rows' limits, and a column with the number of each row's basic column. The last row is the objective.
    """
    limit = columns + rows
    for row in range(rows + 1):
        for column in range(columns):
            tableau[row, column] = (tableau[row, column] - lowest) / span + 1.0 if row < rows else -1.0
        for slack in range(rows):
            tableau[row, columns + slack] = 1.0 if slack == row else 0.0
        tableau[row, limit] = 1.0 if row < rows else 0.0
        tableau[row, limit + 1] = columns + row


@njit
def entering_column(tableau: Any, rows: int, columns: int) -> int:
    """Return the first column that would improve the objective, or NOT_FOUND."""
    for column in range(columns + rows):
        if tableau[rows, column] < -EPSILON:
            return column
    return NOT_FOUND


@njit
def leaving_row(tableau: Any, rows: int, columns: int, column: int) -> int:
    """Return the row with the least limit / entry of the column. Ties go to the lowest basic column."""
    limit = columns + rows
    best, best_ratio = NOT_FOUND, 0.0
    for row in range(rows):
        if tableau[row, column] > EPSILON:
            ratio = tableau[row, limit] / tableau[row, column]
            smaller = best == NOT_FOUND or ratio < best_ratio - EPSILON
            if smaller or (
                ratio <= best_ratio + EPSILON and tableau[row, limit + 1] < tableau[best, limit + 1]
            ):
                best, best_ratio = row, ratio
    return best


@njit
def pivot(tableau: Any, rows: int, columns: int, row: int, column: int) -> None:
    """Put the column into the basis, in place of the row's former basic column."""
    limit = columns + rows
    divisor = tableau[row, column]
    for place in range(limit + 1):
        tableau[row, place] /= divisor
    tableau[row, limit + 1] = column
    for other in range(rows + 1):
        factor = tableau[other, column]
        if other != row and factor != 0.0:
            for place in range(limit + 1):
                tableau[other, place] -= factor * tableau[row, place]


@njit
def read_strategies(tableau: Any, rows: int, columns: int, mine: Any, theirs: Any) -> float:
    """Write the mixed strategies of a solved tableau into `mine` and `theirs`. Return the scaled value."""
    limit = columns + rows
    value = 1.0 / tableau[rows, limit]
    for row in range(rows):
        mine[row] = max(tableau[rows, columns + row], 0.0) * value
    for column in range(columns):
        theirs[column] = 0.0
    for row in range(rows):
        column = int(tableau[row, limit + 1])
        if column < columns:
            theirs[column] = max(tableau[row, limit], 0.0) * value
    return value
