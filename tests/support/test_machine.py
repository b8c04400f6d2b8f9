"""Who has the machine alone, and who shares it."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from tests.support.machine import machine_alone, machine_shared

PATIENCE = 30.0
"""Seconds for what takes a moment on an idle machine."""

A_MOMENT = 0.1
"""Seconds within which nothing may happen that has to wait."""

Hold = Callable[[Path], AbstractContextManager[None]]


class Other:
    """Another process of tests, as a thread: has the machine from `has_it` until it is told to `leave`."""

    def __init__(self, hold: Hold, locks: Path) -> None:
        self.has_it, self.leave = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, args=(hold, locks))
        self._thread.start()

    def _run(self, hold: Hold, locks: Path) -> None:
        with hold(locks):
            self.has_it.set()
            self.leave.wait(PATIENCE)

    def end(self) -> None:
        """Lets it leave, and waits until it has."""
        self.leave.set()
        self._thread.join(PATIENCE)


def test_several_share(tmp_path: Path) -> None:
    """Nobody waits for the other."""
    with machine_shared(tmp_path):
        other = Other(machine_shared, tmp_path)
        assert other.has_it.wait(PATIENCE)
        other.end()


def test_alone_is_alone(tmp_path: Path) -> None:
    """Others wait, however they want it, and get it then."""
    with machine_alone(tmp_path):
        others = [Other(machine_shared, tmp_path), Other(machine_alone, tmp_path)]
        assert not any(other.has_it.wait(A_MOMENT) for other in others)
    for other in others:
        other.leave.set()
    assert all(other.has_it.wait(PATIENCE) for other in others)
    for other in others:
        other.end()


def test_who_wants_to_be_alone_waits_for_those_there_and_for_none_after(tmp_path: Path) -> None:
    """Else tests that follow each other elsewhere would keep it out for good."""
    with machine_shared(tmp_path):
        alone = Other(machine_alone, tmp_path)
        assert not alone.has_it.wait(A_MOMENT)
        late = Other(machine_shared, tmp_path)
        assert not late.has_it.wait(A_MOMENT)
    assert alone.has_it.wait(PATIENCE)
    assert not late.has_it.wait(A_MOMENT)
    alone.end()
    assert late.has_it.wait(PATIENCE)
    late.end()
