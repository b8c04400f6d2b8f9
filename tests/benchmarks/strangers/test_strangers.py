"""Strangers at real services."""

from pathlib import Path

import pytest

from benchmarks.strangers.__main__ import SHORT_SECONDS, Run
from benchmarks.strangers.load import STRANGERS


def test_a_game_goes_on_beside_strangers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game, the stranger and the services are measured, and the services end while a stranger calls."""
    monkeypatch.setattr("benchmarks.strangers.__main__.SHORT_LANES", 1)
    names = ("same start", "half-open connections", "nonsense messages")
    results = Run(tmp_path, SHORT_SECONDS, requests=50).short([STRANGERS[name] for name in names])
    assert [result.stranger for result in results] == ["none", *names]
    assert all(result.moves.number and not result.moves.failed for result in results)
    assert all(result.moves.p99 > 0 for result in results)
    assert all(result.before["gateway"].own > 10 and not result.gone for result in results)
    _, same, half_open, messages = (result.report for result in results)
    assert same.answers == {"200": 50}
    assert half_open.sent >= 50
    assert messages.answers["INVALID_ARGUMENT"] > 10
    assert results[-1].ended_in is not None
    assert results[-1].ended_in < 30.0
