"""What several commands share: the name of work that takes long."""

import time

import pytest

from arena.commands.common import working


def test_long_work_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a terminal, only work that takes long prints a line."""
    with working("Reading …"):
        pass
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr("arena.commands.common.QUIET_SECONDS", 0.0)
    with working("Reading …"):
        time.sleep(0.5)
    assert capsys.readouterr() == ("", "Reading …\n")
