"""The processes of a cluster."""

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.cluster.control_plane import Processes
from infra.cluster.kubectl import ClusterError, wait_until

SHELL = Path(shutil.which("bash") or "/bin/bash")


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    """Processes that end with the test."""
    started = Processes(tmp_path)
    yield started
    started.end()


def pid(folder: Path) -> int:
    """Return the id that a process has written into a file."""
    file = folder / "pid"
    wait_until(lambda: file.exists() and file.read_text().endswith("\n"), "the process runs")
    return int(file.read_text())


def test_none_is_left(processes: Processes, tmp_path: Path) -> None:
    """Not even one that ignores signals."""
    processes.start(SHELL, "-c", "trap '' INT TERM; echo $$ > pid; while :; do sleep 0.1; done")
    running = pid(tmp_path)
    processes.check()
    processes.end()
    with pytest.raises(ProcessLookupError):
        os.kill(running, 0)


def test_one_that_ends_by_itself_is_an_error_with_its_last_words(processes: Processes) -> None:
    """Which say what is wrong, as a rule."""
    processes.start(SHELL, "-c", "echo no such flag >&2; exit 3")

    def runs_on() -> bool:
        processes.check()
        return False

    with pytest.raises(ClusterError, match="bash ended with code 3:\nno such flag"):
        wait_until(runs_on, "the process ends")


def test_one_stands_still_while_it_is_stopped(processes: Processes, tmp_path: Path) -> None:
    """And goes on afterwards."""
    processes.start(SHELL, "-c", "echo $$ > pid; while :; do echo >> ticks; sleep 0.01; done")
    state, ticks = Path(f"/proc/{pid(tmp_path)}/stat"), tmp_path / "ticks"
    with processes.stopped(SHELL):
        wait_until(lambda: state.read_text().split()[2] == "T", "the process is stopped")
        before = ticks.stat().st_size
        time.sleep(0.1)
        assert ticks.stat().st_size == before
    wait_until(lambda: ticks.stat().st_size > before, "the process goes on")
