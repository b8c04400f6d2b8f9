"""Simultaneous moves, searched as matrix games: zero-sum games in which both sides choose simultaneously.

"Minimax in Battlesnake" (Corey Alexander) names the problem: snakes move at the same time. The solution is
von Neumann's, "Zur Theorie der Gesellschaftsspiele" (1928): choose at random, with the right probabilities.

The solutions of the matrices are exact, by the simplex method: Dantzig, "A proof of the equivalence of the
programming problem and the game problem" (1951).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from searcher.textbook.depth_limited import Evaluator
from searcher.textbook.game import AnyMove, GameT, Player

Row = list[Fraction]


@dataclass(frozen=True, slots=True)
class Solution:
    """The value of a matrix game for the row player, and an optimal mixed strategy of each side."""

    value: Fraction
    rows: Sequence[Fraction]
    """The probability of each row. This strategy earns at least `value` against every column."""
    columns: Sequence[Fraction]
    """The probability of each column. This strategy concedes at most `value` to every row."""


def solve_matrix(payoffs: Sequence[Sequence[float | Fraction]]) -> Solution:
    """Solve the game in which the row player gets payoffs[row][column] from the column player.

    Source: Dantzig. With positive payoffs, the column player looks for weights with the greatest sum that
    concede at most 1 to every row. The value is 1 divided by this sum. In the solved table, the cost of a
    row's slack variable, divided by the sum, is the row's probability.

    Raises ValueError if there are no rows or no columns, or if the rows differ in length.
    """
    if not payoffs or not payoffs[0] or len({len(row) for row in payoffs}) != 1:
        raise ValueError("a matrix needs at least one row and one column, and rows of equal length")
    height, width = len(payoffs), len(payoffs[0])
    shift = 1 - Fraction(min(min(row) for row in payoffs))
    table = [
        [*(Fraction(payoff) + shift for payoff in row), *_unit(number, height), Fraction(1)]
        for number, row in enumerate(payoffs)
    ]
    basis, costs = _maximize(table, [Fraction(-1)] * width + [Fraction(0)] * (height + 1))
    weights = dict(zip(basis, (row[-1] for row in table), strict=True))
    return Solution(
        1 / costs[-1] - shift,
        [cost / costs[-1] for cost in costs[width:-1]],
        [weights.get(column, Fraction(0)) / costs[-1] for column in range(width)],
    )


def _unit(number: int, length: int) -> Row:
    """Return a row of zeros with a one at an index."""
    return [Fraction(index == number) for index in range(length)]


def _maximize(table: list[Row], costs: Row) -> tuple[list[int], Row]:
    """Pivot `table` in place until no cost is negative. Return each row's basic variable, and the costs.

    At first the slack variables are basic. Bland's rule (1977), the lowest index, prevents cycles.
    """
    basis = [len(costs) - 1 - len(table) + number for number in range(len(table))]
    while (entering := next((at for at, cost in enumerate(costs[:-1]) if cost < 0), None)) is not None:
        open_rows = [number for number, row in enumerate(table) if row[entering] > 0]
        leaving = min(
            open_rows, key=lambda number: (table[number][-1] / table[number][entering], basis[number])
        )
        pivot = table[leaving] = [entry / table[leaving][entering] for entry in table[leaving]]
        for number, row in enumerate(table):
            if number != leaving:
                table[number] = _reduced(row, pivot, entering)
        costs, basis[leaving] = _reduced(costs, pivot, entering), entering
    return basis, costs


def _reduced(row: Row, pivot: Row, column: int) -> Row:
    """Return a row less the multiple of the pivot row that makes its entry in a column 0."""
    return [entry - row[column] * other for entry, other in zip(row, pivot, strict=True)]


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
