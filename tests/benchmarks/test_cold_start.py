"""The benchmark of cold starts."""

import os
import re
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from benchmarks.cold_start import PHASES, main, running, until


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
    assert len(re.findall(r"MB *\| [1-9]\d* ", result.output)) == 10


def test_a_command_that_ends_early_is_shown(tmp_path: Path) -> None:
    """Its last words are the error."""
    command = [sys.executable, "-c", "import sys; sys.exit('no such image')"]
    with running(command, os.environ, tmp_path / "log", tmp_path) as (process, passed):
        process.wait(10)
        with pytest.raises(click.ClickException, match="has ended: no such image"):
            until(passed, lambda: False)
