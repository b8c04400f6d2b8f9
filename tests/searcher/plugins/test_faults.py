"""What is said of a broken evaluator. Its mistakes themselves are in evaluators/test_plugins.py."""

import ctypes
import sys
from pathlib import Path

import pytest
from numba import cfunc

from searcher.plugins.faults import Fault, ToldOnce, fault_of

PLACE = ("/home/me/snake/shy.py", 8)


def test_a_fault_is_one_line() -> None:
    """It has the name, the reason, the file and the line."""
    fault = Fault("shy", "ValueError: no", *PLACE)
    assert str(fault) == "evaluator shy is left out: ValueError: no (/home/me/snake/shy.py:8)"


@pytest.mark.parametrize(
    "text", ["", "first\nsecond", "x" * 5_000, "Failed in nopython mode pipeline\n\nfirst"]
)
def test_reasons_are_short(text: str) -> None:
    """Of a long message the first line that says something; of none the error's kind."""
    reason = fault_of("shy", ValueError(text), Path("/home/me"), PLACE).reason
    assert reason.startswith("ValueError")
    assert len(reason) < 250
    assert "second" not in reason and "Failed" not in reason
    assert ("first" in reason) == ("first" in text)


def test_the_place_is_the_authors() -> None:
    """The innermost line that the compiler names in the author's folder, else where the function begins."""
    text = 'at /site/numba/core.py (5)\nFile "/home/me/snake/heads.py", line 3:\nat /home/me/snake/shy.py (9)'
    fault = fault_of("shy", ValueError(text), Path("/home/me/snake"), PLACE)
    assert (fault.file, fault.line) == ("/home/me/snake/heads.py", 3)
    elsewhere = fault_of("shy", ValueError("at /site/numba/core.py (5)"), Path("/home/me/snake"), PLACE)
    assert (elsewhere.file, elsewhere.line) == PLACE


def test_what_a_search_cannot_raise_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled code that raises gives 0 to its caller; one line has the reason and the place."""

    def strict(value: float) -> float:
        if value > 1.0:
            raise ValueError("too much")
        return value

    told: list[str] = []
    monkeypatch.setattr(sys, "unraisablehook", ToldOnce(told.append))
    call = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(cfunc("float64(float64)")(strict).address)
    assert [call(0.5), call(2.0), call(3.0)] == [0.5, 0.0, 0.0]
    (line,) = told
    assert "ValueError('too much')" in line
    assert "test_faults.py:" in line
