"""How the start of a searcher is timed."""

import shutil
import sys

import pytest

from searcher.tools import startup


def test_a_searcher_that_ends_never_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not waited for until patience is at its end."""
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    with pytest.raises(TimeoutError):
        startup.seconds_to_serving()
