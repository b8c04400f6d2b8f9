"""The decorator for functions that are called by compiled code."""

import pytest

from searcher.engine.jit.decorator import njit
from tests.searcher.command_line import run


@njit
def _half(number: float) -> float:
    """Return half of a number."""
    return number / 2


@njit(error_model="numpy")
def _quarter(number: float) -> float:
    return _half(_half(number))


@njit
def _inverse(number: float) -> float:
    return 1.0 / number


def test_a_decorated_function_can_be_called() -> None:
    """From compiled code and from Python; the function as it was written is `py_func`."""
    assert _quarter(10.0) == _half(5.0) == _half.py_func(5.0) == 2.5
    assert _half.__name__ == "_half" and _half.__doc__ == "Return half of a number."


def test_options_reach_the_compiler() -> None:
    """Without the option, a division by zero raises as in Python."""
    with pytest.raises(ZeroDivisionError):
        _inverse(0.0)
    assert njit(error_model="numpy")(_inverse.py_func)(0.0) == float("inf")


def test_decorating_loads_no_compiler() -> None:
    """The engine and all evaluators are imported without it."""
    script = "import sys; from searcher import strategies; strategies.evaluators(); "
    script += "print({'numba', 'llvmlite'} & set(sys.modules))"
    assert run("-c", script).stdout.strip() == "set()"
