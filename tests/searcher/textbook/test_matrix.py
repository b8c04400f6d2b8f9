"""Matrix games with known solutions, and the promise of a solution on any."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searcher.textbook.matrix import Solution, solve_matrix

HALF, THIRD, ONE, NONE = Fraction(1, 2), Fraction(1, 3), Fraction(1), Fraction(0)


def test_a_saddle_point_needs_no_chance() -> None:
    """Where the best of the worst is the worst of the best, both play it always."""
    solution = solve_matrix([[3, 1, 4], [1, 0, 2], [5, -1, 9]])
    assert solution == Solution(ONE, (ONE, NONE, NONE), (NONE, ONE, NONE))


def test_matching_pennies() -> None:
    """Heads or tails: half of each, worth nothing."""
    solution = solve_matrix([[1, -1], [-1, 1]])
    assert solution == Solution(NONE, (HALF, HALF), (HALF, HALF))


def test_rock_paper_scissors() -> None:
    """A third of each, exactly."""
    solution = solve_matrix([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert solution == Solution(NONE, (THIRD,) * 3, (THIRD,) * 3)


def test_rows_and_columns_that_don_t_help() -> None:
    """A dominated row is never played and a dominated column neither."""
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
def test_neither_side_can_do_better(matrix: list[list[float]]) -> None:
    """The rows get the value at least against every column, the columns concede it at most to every row."""
    solution = solve_matrix(matrix)
    exact = [[Fraction(payoff) for payoff in row] for row in matrix]
    for chances in (solution.rows, solution.columns):
        assert sum(chances) == 1
        assert min(chances) >= 0
    for column in zip(*exact, strict=True):
        assert sum(p * x for p, x in zip(solution.rows, column, strict=True)) >= solution.value
    for row in exact:
        assert sum(p * x for p, x in zip(solution.columns, row, strict=True)) <= solution.value


@pytest.mark.parametrize("matrix", [[], [[]], [[1, 2], [3]]], ids=["no rows", "no columns", "ragged"])
def test_what_is_no_matrix_is_refused(matrix: list[list[float]]) -> None:
    """The message says what a matrix needs."""
    with pytest.raises(ValueError, match="rows of one length"):
        solve_matrix(matrix)
