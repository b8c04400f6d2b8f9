"""Matrix games: both sides choose at the same time, what one gains the other loses.

Source: Shapley and Snow, "Basic solutions of discrete games" (1950). Exact, by trying small cases: meant for
matrices of a few rows, such as the moves of one turn.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

Matrix = Sequence[Sequence[Fraction]]
Vector = tuple[Fraction, ...]
Places = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Solution:
    """The value of a matrix game to the one who chooses rows, and how often each side plays what."""

    value: Fraction
    rows: Vector
    """The probability of each row: it brings at least `value` against every column."""
    columns: Vector
    """The probability of each column: it concedes at most `value` to every row."""


def solve_matrix(payoffs: Sequence[Sequence[float | Fraction]]) -> Solution:
    """The solution of the game in which the row player gets payoffs[row][column] from the other.

    Source: Shapley and Snow. Without a saddle point some square part of the matrix is solved by strategies
    that make all its rows and all its columns worth the same, and these solve the whole: try each part.

    Raises:
        ValueError: no rows, no columns, or rows of different lengths.
    """
    if not payoffs or not payoffs[0] or len({len(row) for row in payoffs}) != 1:
        raise ValueError("a matrix needs at least one row and one column, and rows of one length")
    saddle = _saddle_point(payoffs)
    if saddle is not None:
        return saddle
    # Where all payoffs are positive the value is too, which the parts' equations need.
    shift = 1 - Fraction(min(min(row) for row in payoffs))
    matrix = [[Fraction(payoff) + shift for payoff in row] for row in payoffs]
    candidates = (_equalized(matrix, rows, columns) for rows, columns in _square_parts(matrix))
    solution = next(each for each in candidates if each is not None and _solves(matrix, each))
    return Solution(solution.value - shift, solution.rows, solution.columns)


def _saddle_point(payoffs: Sequence[Sequence[float | Fraction]]) -> Solution | None:
    """The solution without chance: the best of the rows' worst is the worst of the columns' best."""
    worst = [min(row) for row in payoffs]
    best = [max(column) for column in zip(*payoffs, strict=True)]
    if max(worst) != min(best):
        return None
    row, column = worst.index(max(worst)), best.index(min(best))
    sure = [Fraction(1)]
    return Solution(
        Fraction(max(worst)),
        _spread(sure, (row,), len(worst), sure[0]),
        _spread(sure, (column,), len(best), sure[0]),
    )


def _square_parts(matrix: Matrix) -> Iterator[tuple[Places, Places]]:
    """The rows and the columns of every square part of two and more, the small parts first."""
    height, width = len(matrix), len(matrix[0])
    for size in range(2, min(height, width) + 1):
        yield from product(combinations(range(height), size), combinations(range(width), size))


def _equalized(matrix: Matrix, rows: Places, columns: Places) -> Solution | None:
    """The strategies on these rows and columns against which the other side's all come to the same."""
    part = [[matrix[row][column] for column in columns] for row in rows]
    row_weights = _solve_ones([list(column) for column in zip(*part, strict=True)])
    column_weights = _solve_ones(part)
    total = sum(row_weights, Fraction())
    if not total or not column_weights:
        return None
    height, width = len(matrix), len(matrix[0])
    return Solution(
        1 / total, _spread(row_weights, rows, height, total), _spread(column_weights, columns, width, total)
    )


def _solves(matrix: Matrix, solution: Solution) -> bool:
    """Whether neither side has anything better, and all probabilities are such."""
    rows = (_product(row, solution.columns) <= solution.value for row in matrix)
    columns = (_product(column, solution.rows) >= solution.value for column in zip(*matrix, strict=True))
    return min(*solution.rows, *solution.columns) >= 0 and all(rows) and all(columns)


def _product(left: Sequence[Fraction], right: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(left, right, strict=True)), Fraction())


def _spread(weights: Sequence[Fraction], places: Places, length: int, total: Fraction) -> Vector:
    """The weights, divided by `total`, at their places; zero elsewhere."""
    chances = dict(zip(places, weights, strict=True))
    return tuple(chances.get(place, Fraction()) / total for place in range(length))


def _solve_ones(matrix: Matrix) -> list[Fraction]:
    """The x for which every row of `matrix` times x is one, by Gauss and Jordan; empty if not unique."""
    rows = [[*row, Fraction(1)] for row in matrix]
    for column in range(len(rows)):
        pivot = next((row for row in rows[column:] if row[column]), None)
        if pivot is None:
            return []
        rows.remove(pivot)
        pivot = [entry / pivot[column] for entry in pivot]
        rows = [[entry - row[column] * lead for entry, lead in zip(row, pivot, strict=True)] for row in rows]
        rows.insert(column, pivot)
    return [row[-1] for row in rows]
