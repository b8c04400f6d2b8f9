"""The benchmark of cold starts."""

import os
import re
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from benchmarks.cold_start import PHASES, environment, main, memory_of, rows, running, until


@pytest.mark.rest("play against the clock")
def test_a_start_shows_every_figure(compiled: None) -> None:
    """A snake answers before it moves, and moves before it has searched."""
    result = CliRunner().invoke(main, ["--starts", "1", "--timeout", "500"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    seconds = {
        name: float(value) for name, value in re.findall(r"\| ([^|]+), s *\| (-?\d+\.\d\d)", result.output)
    }
    assert set(seconds) == set(PHASES)
    order = ("the searcher's process starts", "first answer of /", "first move", "first searched move")
    times = [0.0, *(seconds[name] for name in order)]
    assert times == sorted(times) and times[1] > 0
    assert seconds["the same without its search"] < seconds["first searched move"]
    assert len(re.findall(r"MB *\| [1-9]\d* ", result.output)) == 10


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


def test_memory_that_is_shared_counts_in_part() -> None:
    """A process has no more of its own than its share, and no more of that than is resident."""
    own = memory_of(os.getpid())
    assert 1 < own["private"] <= own["proportional"] <= own["resident"]


def test_a_command_that_ends_early_is_shown(tmp_path: Path) -> None:
    """Its last words are the error."""
    command = [sys.executable, "-c", "import sys; sys.exit('no such image')"]
    with running(command, os.environ, tmp_path / "log", tmp_path) as (process, passed):
        process.wait(10)
        with pytest.raises(click.ClickException, match="has ended: no such image"):
            until(passed, lambda: False)


def test_another_checkout_has_its_median_and_the_ratio() -> None:
    """The ratio is below 1 where this checkout is faster."""
    found = [{"a, s": seconds} for seconds in (0.4, 0.5, 0.9)]
    beside = [{"a, s": seconds} for seconds in (1.0, 3.0, 0.8)]
    assert list(rows(found, beside)) == [("a, s", "0.50", "0.40", "0.90", "1.00", "0.50")]
