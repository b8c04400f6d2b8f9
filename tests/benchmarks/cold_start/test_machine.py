"""The machine before a start."""

from pathlib import Path

import click
import pytest

from benchmarks.cold_start import machine
from benchmarks.cold_start.machine import drop_page_cache, environment


def test_services_start_as_those_of_a_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python keeps its bytecode, in a folder of ours if it may keep none elsewhere; the console is served."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    found = environment(tmp_path / "outcomes.sqlite")
    assert "PYTHONDONTWRITEBYTECODE" not in found and "ADMIN" not in found
    assert Path(found["PYTHONPYCACHEPREFIX"]).parent.name == ".cache"
    assert found["OUTCOMES_URL"] == str(tmp_path / "outcomes.sqlite")
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    assert "PYTHONPYCACHEPREFIX" not in environment(tmp_path / "outcomes.sqlite")


def test_the_page_cache_needs_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names what is not allowed."""
    monkeypatch.setattr(machine, "_CACHES", tmp_path / "missing" / "drop_caches")
    with pytest.raises(click.UsageError, match="--cold needs root"):
        drop_page_cache()
