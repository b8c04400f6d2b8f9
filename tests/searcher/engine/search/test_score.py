"""The order of scores, and the values that evaluators may return."""

import doctest
import importlib
import math
import pkgutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

import searcher.engine
from searcher.engine.search import score


def test_examples_hold() -> None:
    """All examples in the engine's docstrings hold, and there are some."""
    modules = pkgutil.walk_packages(searcher.engine.__path__, "searcher.engine.")
    names = [module.name for module in modules if not module.ispkg]
    results = {name: doctest.testmod(importlib.import_module(name)) for name in names}
    assert {name: result for name, result in results.items() if result.failed} == {}
    assert sum(result.attempted for result in results.values()) >= 4


@given(st.integers(0, 200), st.integers(1, 200), st.floats(-1, 1), st.floats(-1, 1))
def test_one_order(turns: int, more: int, one: float, other: float) -> None:
    """The order is losses, draws, heuristics, wins; later losses and draws are better, and sooner wins."""
    low, high = sorted((score.heuristic(one), score.heuristic(other)))
    losses = score.loss_at(turns), score.loss_at(turns + more)
    draws = score.draw_at(turns), score.draw_at(turns + more)
    wins = score.win_at(turns + more), score.win_at(turns)
    order = [-score.INFINITE, *losses, *draws, low, high, *wins, score.INFINITE]
    assert order == sorted(order)
    assert len({*losses, *draws, *wins, score.INFINITE, -score.INFINITE}) == 8
    assert [score.is_proven(value) for value in order[1:-1]] == [True] * 4 + [False] * 2 + [True] * 2
    assert [score.is_loss(value) for value in order[1:-1]] == [True] * 2 + [False] * 6
    units = [score.to_unit(value) for value in order[1:-1]]
    assert units == sorted(units)
    assert (units[0], units[-1]) == (-1.0, 1.0)
    assert all(-1.0 < unit < 1.0 for unit in units[2:6])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.0, 0),
        (0.25, 250_000),
        (-0.25, -250_000),
        (1.0, 999_999),
        (-1.0, -999_999),
        (1e300, 999_999),
        (-1e300, -999_999),
        (math.inf, 999_999),
        (-math.inf, -999_999),
        (math.nan, 0),
    ],
)
def test_heuristics_are_clamped(value: float, expected: int) -> None:
    """Any value of an evaluator becomes a score that is not proven; not a number becomes 0."""
    assert score.heuristic(value) == expected
