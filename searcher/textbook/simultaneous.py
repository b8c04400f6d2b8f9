"""Simultaneous moves, searched as matrix games: zero-sum games in which both sides choose simultaneously.

"Minimax in Battlesnake" (Corey Alexander) names the problem: snakes move at the same time. The solution is
von Neumann's, "Zur Theorie der Gesellschaftsspiele" (1928): choose at random, with the right probabilities.

Source of the matrices' solutions: Shapley and Snow, "Basic solutions of discrete games" (1950). This solution
is exact. It tries every square submatrix, so a matrix should have few rows, such as the moves of one turn.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from searcher.textbook.depth_limited import Evaluator
from searcher.textbook.game import AnyMove, GameT, Player

Matrix = Sequence[Sequence[Fraction]]
Vector = tuple[Fraction, ...]
Indices = tuple[int, ...]
"""Numbers of rows or of columns."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The value of a matrix game for the row player, and an optimal mixed strategy of each side."""

    value: Fraction
    rows: Vector
    """The probability of each row. This strategy earns at least `value` against every column."""
    columns: Vector
    """The probability of each column. This strategy concedes at most `value` to every row."""


def solve_matrix(payoffs: Sequence[Sequence[float | Fraction]]) -> Solution:
    """Solve the game in which the row player gets payoffs[row][column] from the column player.

    Source: Shapley and Snow. Equalizing strategies of a square matrix make all its rows and all its columns
    worth the same. A matrix without a saddle point has a square submatrix whose equalizing strategies solve
    the whole matrix. This function tries each submatrix.

    Raises ValueError if there are no rows or no columns, or if the rows differ in length.
    """
    if not payoffs or not payoffs[0] or len({len(row) for row in payoffs}) != 1:
        raise ValueError("a matrix needs at least one row and one column, and rows of equal length")
    saddle = _saddle_point(payoffs)
    if saddle is not None:
        return saddle
    # With positive payoffs the value is positive too, as the equations of the submatrices require.
    shift = 1 - Fraction(min(min(row) for row in payoffs))
    matrix = [[Fraction(payoff) + shift for payoff in row] for row in payoffs]
    candidates = (_equalized(matrix, rows, columns) for rows, columns in _square_submatrices(matrix))
    solution = next(each for each in candidates if each is not None and _solves(matrix, each))
    return Solution(solution.value - shift, solution.rows, solution.columns)


def _saddle_point(payoffs: Sequence[Sequence[float | Fraction]]) -> Solution | None:
    """Return the pure solution if the rows' maximin equals the columns' minimax, or None if they differ."""
    worst = [min(row) for row in payoffs]
    best = [max(column) for column in zip(*payoffs, strict=True)]
    if max(worst) != min(best):
        return None
    row, column = worst.index(max(worst)), best.index(min(best))
    one = [Fraction(1)]
    return Solution(
        Fraction(max(worst)),
        _strategy(one, (row,), len(worst), one[0]),
        _strategy(one, (column,), len(best), one[0]),
    )


def _square_submatrices(matrix: Matrix) -> Iterator[tuple[Indices, Indices]]:
    """Yield the rows and columns of every square submatrix of size 2 or more, the small ones first."""
    height, width = len(matrix), len(matrix[0])
    for size in range(2, min(height, width) + 1):
        yield from product(combinations(range(height), size), combinations(range(width), size))


def _equalized(matrix: Matrix, rows: Indices, columns: Indices) -> Solution | None:
    """Return the equalizing strategies on these rows and columns, or None without any."""
    submatrix = [[matrix[row][column] for column in columns] for row in rows]
    row_weights = _solve_ones([list(column) for column in zip(*submatrix, strict=True)])
    column_weights = _solve_ones(submatrix)
    total = sum(row_weights, Fraction())
    if not total or not column_weights:
        return None
    height, width = len(matrix), len(matrix[0])
    return Solution(
        1 / total,
        _strategy(row_weights, rows, height, total),
        _strategy(column_weights, columns, width, total),
    )


def _solves(matrix: Matrix, solution: Solution) -> bool:
    """Return whether neither side can improve and no probability is negative."""
    rows = (_dot(row, solution.columns) <= solution.value for row in matrix)
    columns = (_dot(column, solution.rows) >= solution.value for column in zip(*matrix, strict=True))
    return min(*solution.rows, *solution.columns) >= 0 and all(rows) and all(columns)


def _dot(left: Sequence[Fraction], right: Sequence[Fraction]) -> Fraction:
    """Return the dot product of two vectors."""
    return sum((a * b for a, b in zip(left, right, strict=True)), Fraction())


def _strategy(weights: Sequence[Fraction], indices: Indices, length: int, total: Fraction) -> Vector:
    """Return a strategy with the weights, divided by `total`, at their indices and zero elsewhere."""
    weight_of = dict(zip(indices, weights, strict=True))
    return tuple(weight_of.get(index, Fraction()) / total for index in range(length))


def _solve_ones(matrix: Matrix) -> list[Fraction]:
    """Return the x with matrix @ x = (1, ..., 1), by Gauss-Jordan elimination, empty if x isn't unique."""
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


DISCOUNT = 0.99
"""The factor by which a value shrinks with each turn, so that an earlier sure win is worth more."""


def simultaneous_value(game: GameT, me: Player, limit: int, evaluate: Evaluator[GameT]) -> float:
    """Return the expected value for `me`, from -1 to 1, when no player knows the others' moves.

    Source: von Neumann. Adds to `SequentialGame` that all players choose at once. My value is at least the
    value against opponents who know my move. All opponents act as one side against me. The ordered scores of
    `depth_limited` have no mean, so values are plain numbers, multiplied by DISCOUNT for each turn.
    """
    result = game.result(me)
    if result is not None:
        return float(result)
    if game.turn >= limit:
        return evaluate(game, me)
    return float(simultaneous_solution(game, me, limit, evaluate).value)


def simultaneous_solution(game: GameT, me: Player, limit: int, evaluate: Evaluator[GameT]) -> Solution:
    """Solve the matrix game of one turn: a row for each of my moves, a column for each joint reply.

    Source: von Neumann. Adds to `solve_matrix` that each entry is itself the value of the next turn's matrix.
    """
    replies = list(joint_moves(game, [player for player in game.to_move if player != me]))
    payoffs = [
        [DISCOUNT * simultaneous_value(game.play(mine | reply), me, limit, evaluate) for reply in replies]
        for mine in joint_moves(game, [player for player in game.to_move if player == me])
    ]
    return solve_matrix(payoffs)


def joint_moves(game: GameT, players: list[Player]) -> Iterator[dict[Player, AnyMove]]:
    """Yield every combination of one move for each of `players`. Without players, yield an empty one."""
    for moves in product(*(game.legal_moves(player) for player in players)):
        yield dict(zip(players, moves, strict=True))


def simultaneous_strategy(
    game: GameT, me: Player, depth: int, evaluate: Evaluator[GameT]
) -> Mapping[AnyMove, float]:
    """Return the probability of each legal move of `me`, `depth` turns (at least 1) deep."""
    probabilities = simultaneous_solution(game, me, game.turn + depth, evaluate).rows
    moves = game.legal_moves(me)
    return {move: float(probability) for move, probability in zip(moves, probabilities, strict=True)}
