"""The demonstration: everything at once on this machine, for a look."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.dependencies import report_missing

IN_TIME = 120.0


def test_it_plays_and_draws(compiled: None, tmp_path: Path) -> None:
    """Prometheus reads the metrics of a game, and most panels of both dashboards have data."""
    if shutil.which("prometheus") is None:
        report_missing("Prometheus", "prometheus")
    command = (sys.executable, "-m", "infra.monitoring", "demo", "--games", "1", "--seconds", "11")
    done = subprocess.run([*command, "--out", str(tmp_path)], capture_output=True, text=True, timeout=IN_TIME)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^snake http://\S+, console http://\S+, Prometheus http://", done.stdout)
    for name in ("players", "operators"):
        assert (tmp_path / f"{name}.png").stat().st_size > 10_000
        empty = re.search(rf"{name}.png, without data: (.*)", done.stdout)
        assert empty and len(empty[1].split(", ")) < 4


def test_a_prometheus_that_is_not_there_is_named(tmp_path: Path) -> None:
    """With its address and the reason."""
    command = (sys.executable, "-m", "infra.monitoring", "preview", "--prometheus", "http://127.0.0.1:1")
    done = subprocess.run([*command, "--out", str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 1
    assert "http://127.0.0.1:1" in done.stderr and "Connection refused" in done.stderr


@pytest.mark.parametrize("games", ["0", "many"])
def test_a_wrong_number_of_games_is_refused(games: str) -> None:
    """The error has the valid ones."""
    command = (sys.executable, "-m", "infra.monitoring", "demo", "--games", games)
    assert subprocess.run(command, capture_output=True).returncode == 2
