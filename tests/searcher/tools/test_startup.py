"""The timing of a searcher's start."""

import shutil
import sys

import pytest

from searcher.tools import startup


def test_a_searcher_that_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that ends before it is SERVING raises TimeoutError at once."""
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    with pytest.raises(TimeoutError):
        startup.seconds_to_serving()
