"""Exceptions of compiled code, as processes without Numba raise them."""

import traceback

import pytest

from searcher.engine.jit.runtime import throw


def test_an_exception_has_the_place_that_raised_it() -> None:
    """The traceback ends in the line of the author's file."""
    with pytest.raises(ValueError, match="too much") as raised:
        throw((ValueError, ("too much",), ("strict", "/home/me/snake/shy.py", 8)))
    last = traceback.extract_tb(raised.value.__traceback__)[-1]
    assert (last.filename, last.lineno) == ("/home/me/snake/shy.py", 8)
