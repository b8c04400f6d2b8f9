"""Faults of evaluators. The mistakes that cause them are in test_discovery.py."""

import ctypes
import gc
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from searcher.engine.jit.function import FLOAT64, Function
from searcher.plugins.faults import ReportOnce, fault_from_error

PLACE = ("/home/me/snake/shy.py", 8)


@pytest.mark.parametrize(
    "text", ["", "first\nsecond", "x" * 5_000, "Failed in nopython mode pipeline\n\nfirst"]
)
def test_reasons_are_short(text: str) -> None:
    """The reason has the error's type and the first useful line of its message, if there is one."""
    reason = fault_from_error("shy", ValueError(text), Path("/home/me"), PLACE).reason
    assert reason.startswith("ValueError")
    assert len(reason) < 250
    assert "second" not in reason and "Failed" not in reason
    assert ("first" in reason) == ("first" in text)


def _strict(value: float) -> float:
    if value > 1.0:
        raise ValueError("too much")
    return value


@pytest.fixture
def call() -> Callable[[float], float]:
    """A compiled function that raises an exception for values above 1."""
    return ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(Function(_strict, FLOAT64, (FLOAT64,)).address)


def test_errors_that_a_search_cannot_raise_are_reported_once(
    monkeypatch: pytest.MonkeyPatch, call: Callable[[float], float]
) -> None:
    """Compiled code that raises returns 0; one line has the reason and the place."""
    reported: list[str] = []
    monkeypatch.setattr(sys, "unraisablehook", ReportOnce(reported.append))
    assert [call(0.5), call(2.0), call(3.0)] == [0.5, 0.0, 0.0]
    (line,) = reported
    assert "ValueError('too much')" in line
    assert "test_faults.py:" in line


def test_errors_of_compiled_code_leave_no_memory_behind(
    monkeypatch: pytest.MonkeyPatch, call: Callable[[float], float]
) -> None:
    """A search may raise the same one a million times a minute."""
    monkeypatch.setattr(sys, "unraisablehook", ReportOnce(lambda line: None))
    call(2.0)

    def blocks_left() -> int:
        gc.collect(0)
        blocks = sys.getallocatedblocks()
        for _ in range(1000):
            call(2.0)
        gc.collect(0)
        return sys.getallocatedblocks() - blocks

    # Threads of other tests allocate, too.
    assert min(blocks_left() for _ in range(3)) < 500
