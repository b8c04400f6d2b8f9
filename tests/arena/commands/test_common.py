"""The parts that several commands share: the name of work that takes long, and the number of workers."""

import os
import time

import pytest

from arena.commands.common import _workers, working
from arena.matches.workers import LocalWorkers


def test_long_work_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a terminal, only work that takes long prints a line."""
    with working("Reading …"):
        pass
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr("arena.commands.common._QUIET_SECONDS", 0.0)
    with working("Reading …"):
        time.sleep(0.5)
    assert capsys.readouterr() == ("", "Reading …\n")


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system knows no affinity")
def test_a_match_uses_the_cores_that_it_may_use() -> None:
    """On one core, two searches at the same time would have half the time."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        workers = _workers(None, None, None)
    finally:
        os.sched_setaffinity(0, cores)
    assert isinstance(workers, LocalWorkers) and workers.processes == 1
