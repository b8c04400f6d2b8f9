"""Matrix games against the textbook's exact solution."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searcher.engine.search.matrix import solve, tableau_width
from searcher.textbook.simultaneous import solve_matrix

Solved = tuple[float, list[float], list[float]]


def solved(payoffs: list[list[int]]) -> Solved:
    """Return the value and the mixed strategies of the rows and the columns."""
    rows, columns = len(payoffs), len(payoffs[0])
    tableau = np.full((rows + 1, tableau_width(rows, columns)), np.nan)
    tableau[:rows, :columns] = payoffs
    mine, theirs = np.full(rows, np.nan), np.full(columns, np.nan)
    value = solve(tableau, rows, columns, mine, theirs)
    return float(value), mine.tolist(), theirs.tolist()


def assert_solves(payoffs: list[list[int]], solution: Solved, value: Fraction | float) -> None:
    """Assert that the value is right and that both sides' mixed strategies guarantee it."""
    span = max(map(max, payoffs)) - min(map(min, payoffs)) + 1
    assert solution[0] == pytest.approx(float(value), abs=1e-9 * span)
    for strategy in solution[1:]:
        assert min(strategy) >= 0
        assert sum(strategy) == pytest.approx(1)
    matrix = np.array(payoffs, dtype=np.float64)
    assert min(np.array(solution[1]) @ matrix) >= solution[0] - 1e-9 * span
    assert max(matrix @ np.array(solution[2])) <= solution[0] + 1e-9 * span


def matrices(most: int) -> st.SearchStrategy[list[list[int]]]:
    """Return a strategy for matrices of up to 4 x 4 integers up to `most`, so that many are equal."""
    entries = st.integers(-most, most)
    return st.integers(1, 4).flatmap(
        lambda columns: st.lists(
            st.lists(entries, min_size=columns, max_size=columns), min_size=1, max_size=4
        )
    )


@pytest.mark.parametrize("most", [1, 4, 1_002_000])
@settings(max_examples=75)
@given(data=st.data())
def test_random_matrices(most: int, data: st.DataObject) -> None:
    """The value is the textbook's, and the mixed strategies guarantee it."""
    payoffs = data.draw(matrices(most))
    assert_solves(payoffs, solved(payoffs), solve_matrix(payoffs).value)


def test_wide_matrices() -> None:
    """With as many columns as a crowd has, both sides' mixed strategies guarantee the value."""
    random = Random(3)
    for _ in range(200):
        columns = random.randint(5, 64)
        payoffs = [[random.randint(-99, 99) for _ in range(columns)] for _ in range(random.randint(1, 4))]
        solution = solved(payoffs)
        assert_solves(payoffs, solution, solution[0])


@pytest.mark.parametrize(
    ("payoffs", "value", "rows", "columns"),
    [
        ([[7]], 7, [1], [1]),
        ([[1, -1], [-1, 1]], 0, [1 / 2, 1 / 2], [1 / 2, 1 / 2]),
        ([[3, -1], [-2, 1]], 1 / 7, [3 / 7, 4 / 7], [2 / 7, 5 / 7]),
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0, [1 / 3] * 3, [1 / 3] * 3),
        ([[5, 4, 6], [1, 2, 9]], 4, [1, 0], [0, 1, 0]),
    ],
)
def test_known_games(payoffs: list[list[int]], value: float, rows: list[float], columns: list[float]) -> None:
    """Games with one solution are solved: matching pennies, rock paper scissors, a saddle point."""
    solution = solved(payoffs)
    assert solution[0] == pytest.approx(value)
    assert solution[1] == pytest.approx(rows)
    assert solution[2] == pytest.approx(columns)


def test_plain_python_computes_the_same() -> None:
    """The uncompiled function computes the same value."""
    payoffs = [[3, -1, 2], [-2, 1, 0], [0, 2, -3]]
    tableau = np.zeros((4, tableau_width(3, 3)))
    tableau[:3, :3] = payoffs
    mine, theirs = [0.0] * 3, np.zeros(3)
    value = solve.py_func(tableau, 3, 3, np.array(mine), theirs)
    assert value == pytest.approx(solved(payoffs)[0])
