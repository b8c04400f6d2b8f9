"""The benchmark of the first minutes on a fresh machine."""

import subprocess
import sys
import time

import pytest

from benchmarks.service import first_minutes
from benchmarks.service.first_minutes import rows, until_rest

BUSY = "import time; end = time.monotonic() + 3; any(time.monotonic() > end for _ in iter(int, 1))"

WORK_THEN_REST = f"""
import subprocess, sys, time
subprocess.run([sys.executable, "-c", {BUSY!r}])
time.sleep(60)
"""


def test_the_last_work_of_a_child_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process is at rest once its children have ended and it only waits."""
    monkeypatch.setattr(first_minutes, "LOOKS_AT_REST", 2)
    started = time.monotonic()
    process = subprocess.Popen([sys.executable, "-c", WORK_THEN_REST])
    try:
        rest = until_rest(process.pid, lambda: time.monotonic() - started)
    finally:
        process.kill()
        process.wait()
    assert 3 <= rest <= time.monotonic() - started


def test_a_process_that_never_rests_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the time that the benchmark has waited."""
    monkeypatch.setattr(first_minutes, "PATIENCE", 2.0)
    started = time.monotonic()
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        with pytest.raises(TimeoutError, match="not at rest within 2 s"):
            until_rest(process.pid, lambda: time.monotonic() - started)
    finally:
        process.kill()
        process.wait()


def test_each_figure_has_its_row() -> None:
    """Seconds have a digit after the point, and numbers have none."""
    found = {"first answer, s": 0.456, "moves until then": 12, "processor time until then, s": 1.97}
    assert list(rows(found)) == [
        ("first answer, s", "0.5"),
        ("moves until then", "12"),
        ("processor time until then, s", "2.0"),
    ]
