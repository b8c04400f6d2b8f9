"""The benchmark of cold starts."""

import os
import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from benchmarks import cold_start
from benchmarks.cold_start import drop_page_cache, environment, main, memory_of, rows


@pytest.mark.alone
def test_a_start_shows_every_figure(compiled: None) -> None:
    """A snake answers before it moves, and moves before it has searched."""
    result = CliRunner().invoke(main, ["--starts", "1", "--timeout", "500"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    seconds = dict(re.findall(r"(\w+: [^│]+), s *│ (\d+\.\d\d)", result.output))
    answer, move, searched = (
        float(seconds[f"snake: first {what}"]) for what in ("answer of /", "move", "searched move")
    )
    assert 0 < answer <= move <= searched
    assert float(seconds["snake: the same without its search"]) < searched
    assert float(seconds["searcher: SERVING"]) > 0
    assert len(re.findall(r"MB *│ [1-9]\d* ", result.output)) == 6


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
    monkeypatch.setattr(cold_start, "_CACHES", tmp_path / "missing" / "drop_caches")
    with pytest.raises(click.UsageError, match="--cold needs root"):
        drop_page_cache()


def test_memory_that_is_shared_counts_in_part() -> None:
    """A process has no more of its own than its share, and no more of that than is resident."""
    own = memory_of(os.getpid())
    assert 1 < own["private"] <= own["proportional"] <= own["resident"]


def test_each_figure_has_its_median_and_its_range() -> None:
    """Seconds have two digits after the point, and megabytes none."""
    found = [{"a, s": seconds, "b, MB": 100 * seconds} for seconds in (0.4, 0.9, 0.5)]
    assert list(rows(found)) == [("a, s", "0.50", "0.40", "0.90"), ("b, MB", "50", "40", "90")]
