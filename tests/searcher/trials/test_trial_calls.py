"""The calls of compiled code, and those that are no part of a search."""

from collections.abc import Callable
from typing import Any

import pytest
from numba import njit

from searcher.trials.trial import doubtful_calls, external_calls, forbidden_call

DEBUG = False


def plain(value: float) -> float:
    """Calls nothing, and prints nothing because the compiler knows the flag."""
    if DEBUG:
        print(value)
    if value < 0.0:
        raise ValueError(value)
    return value * 2.0


def _print(value: float) -> float:
    print("value", value)
    return value


_shout: Any = njit(_print)


def shouting(value: float) -> float:
    """Prints in a function that it calls."""
    return float(_shout(value)) + 1.0


def calls_of(function: Callable[[float], float]) -> Any:
    """Return the calls of a function that is compiled for a float."""
    dispatcher = njit(function)
    dispatcher.compile("float64(float64)")
    [compiled] = dispatcher.overloads.values()
    return external_calls(compiled)


@pytest.mark.parametrize(
    ("function", "forbidden"),
    [
        (plain, ""),
        (shouting, "evaluate calls print, and a search can't run Python code; remove the call"),
    ],
)
def test_calls_decide(function: Callable[[float], float], forbidden: str) -> None:
    """Calls of Python are forbidden, also in a called function, unless the optimizer removes them."""
    calls = calls_of(function)
    assert forbidden_call("evaluate", calls) == forbidden
    assert not list(doubtful_calls(calls))
