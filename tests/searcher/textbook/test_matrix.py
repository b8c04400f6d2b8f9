"""Matrix games with known solutions, and the properties of a solution of any matrix."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searcher.textbook.matrix import Solution, solve_matrix

HALF, THIRD, ONE, NONE = Fraction(1, 2), Fraction(1, 3), Fraction(1), Fraction(0)


def test_a_saddle_point_is_solved_by_pure_strategies() -> None:
    """Where maximin equals minimax, both sides always play one row and one column."""
    solution = solve_matrix([[3, 1, 4], [1, 0, 2], [5, -1, 9]])
    assert solution == Solution(ONE, (ONE, NONE, NONE), (NONE, ONE, NONE))


def test_matching_pennies() -> None:
    """Both sides play heads and tails with probability 1/2, and the value is 0."""
    solution = solve_matrix([[1, -1], [-1, 1]])
    assert solution == Solution(NONE, (HALF, HALF), (HALF, HALF))


def test_rock_paper_scissors() -> None:
    """Both sides play each hand with probability exactly 1/3."""
    solution = solve_matrix([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert solution == Solution(NONE, (THIRD,) * 3, (THIRD,) * 3)


def test_dominated_rows_and_columns_are_not_played() -> None:
    """Dominated rows and columns have probability zero."""
    solution = solve_matrix([[1, -1, 1], [-1, 1, 1], [-1, -1, 0]])
    assert solution == Solution(NONE, (HALF, HALF, NONE), (HALF, HALF, NONE))


payoffs = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(-3, 3).map(lambda thirds: thirds / 3), min_size=width, max_size=width),
        min_size=1,
        max_size=4,
    )
)


@settings(deadline=None)
@given(payoffs)
def test_neither_side_can_improve(matrix: list[list[float]]) -> None:
    """The rows earn at least the value against every column, and the columns concede at most the value."""
    solution = solve_matrix(matrix)
    exact = [[Fraction(payoff) for payoff in row] for row in matrix]
    for probabilities in (solution.rows, solution.columns):
        assert sum(probabilities) == 1
        assert min(probabilities) >= 0
    for column in zip(*exact, strict=True):
        assert sum(p * x for p, x in zip(solution.rows, column, strict=True)) >= solution.value
    for row in exact:
        assert sum(p * x for p, x in zip(solution.columns, row, strict=True)) <= solution.value


@pytest.mark.parametrize("matrix", [[], [[]], [[1, 2], [3]]], ids=["no rows", "no columns", "ragged"])
def test_an_invalid_matrix_is_refused(matrix: list[list[float]]) -> None:
    """The message states what a matrix needs."""
    with pytest.raises(ValueError, match="rows of equal length"):
        solve_matrix(matrix)
