"""Small matrix games: both sides choose at the same time, what one gains the other loses.

The value and the odds of both sides by the simplex method, as Dantzig has it ("A proof of the equivalence of
the programming problem and the game problem", 1951), with the pivots of Bland ("New finite pivoting rules for
the simplex method", 1977), which never go round in circles. It ends after a few pivots and is exact but for
rounding: payoffs are scaled first, so the error is some 1e-12 of their span.
"""

from typing import Any

from numba import njit

CLOSE = 1e-12
"""Numbers of a scaled tableau that are nearer to each other are taken for equal."""

MOST_PIVOTS = 1_000
"""A guard against rounding that outwits Bland's rule; real games take a few pivots."""

NOWHERE = -1


def tableau_width(rows: int, columns: int) -> int:
    """The columns of a tableau for payoffs of so many rows and columns; it has one row more than they."""
    return columns + rows + 2


@njit
def solve(tableau: Any, rows: int, columns: int, mine: Any, theirs: Any) -> float:
    """The value of the game to the one who chooses rows. Writes the odds of the rows and of the columns.

    tableau: an array of at least (rows + 1, tableau_width(rows, columns)) numbers, with the payoffs in its
    first rows and columns; it is used up. mine, theirs: arrays of at least `rows` and `columns` numbers.
    """
    least, most = tableau[0, 0], tableau[0, 0]
    for row in range(rows):
        for column in range(columns):
            least = min(least, tableau[row, column])
            most = max(most, tableau[row, column])
    span = most - least if most > least else 1.0
    set_up(tableau, rows, columns, least, span)
    for _ in range(MOST_PIVOTS):
        column = entering(tableau, rows, columns)
        if column == NOWHERE:
            break
        pivot(tableau, rows, columns, leaving(tableau, rows, columns, column), column)
    return (read_odds(tableau, rows, columns, mine, theirs) - 1.0) * span + least


@njit
def set_up(tableau: Any, rows: int, columns: int, least: float, span: float) -> None:
    """The linear program: the most that column weights can add up to, if no row may bring more than 1.

    Payoffs are moved to between 1 and 2. After them come a slack for each row, the limits, and the basis:
    the number of the column that each row stands for. The last row is the objective.
    """
    limit = columns + rows
    for row in range(rows + 1):
        for column in range(columns):
            tableau[row, column] = (tableau[row, column] - least) / span + 1.0 if row < rows else -1.0
        for slack in range(rows):
            tableau[row, columns + slack] = 1.0 if slack == row else 0.0
        tableau[row, limit] = 1.0 if row < rows else 0.0
        tableau[row, limit + 1] = columns + row


@njit
def entering(tableau: Any, rows: int, columns: int) -> int:
    """The first column that would better the objective."""
    for column in range(columns + rows):
        if tableau[rows, column] < -CLOSE:
            return column
    return NOWHERE


@njit
def leaving(tableau: Any, rows: int, columns: int, column: int) -> int:
    """The row whose limit the column meets first; of several, the one whose basis comes first."""
    limit = columns + rows
    best, best_ratio = NOWHERE, 0.0
    for row in range(rows):
        if tableau[row, column] > CLOSE:
            ratio = tableau[row, limit] / tableau[row, column]
            sooner = best == NOWHERE or ratio < best_ratio - CLOSE
            if sooner or (ratio <= best_ratio + CLOSE and tableau[row, limit + 1] < tableau[best, limit + 1]):
                best, best_ratio = row, ratio
    return best


@njit
def pivot(tableau: Any, rows: int, columns: int, row: int, column: int) -> None:
    """Puts the column into the basis, in place of the row's former one."""
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
def read_odds(tableau: Any, rows: int, columns: int, mine: Any, theirs: Any) -> float:
    """The odds of a solved tableau, written into `mine` and `theirs`; gives the value."""
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
