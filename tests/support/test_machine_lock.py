"""The lock that lets tests share the machine or have it to themselves."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from tests.support.machine_lock import exclusive_machine, shared_machine

PATIENCE = 30.0
"""Seconds, many times what a step takes on an idle machine."""

BRIEFLY = 0.1
"""Seconds during which a waiting process must not get the machine."""

Hold = Callable[[Path], AbstractContextManager[None]]


class Other:
    """Another test process, as a thread: it holds the machine from `acquired` until `release` is set."""

    def __init__(self, hold: Hold, locks: Path) -> None:
        self.acquired, self.release = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, args=(hold, locks))
        self._thread.start()

    def _run(self, hold: Hold, locks: Path) -> None:
        with hold(locks):
            self.acquired.set()
            self.release.wait(PATIENCE)

    def end(self) -> None:
        """Release the machine and wait for the thread."""
        self.release.set()
        self._thread.join(PATIENCE)


def test_several_tests_share(tmp_path: Path) -> None:
    """Sharing tests don't wait for each other."""
    with shared_machine(tmp_path):
        other = Other(shared_machine, tmp_path)
        assert other.acquired.wait(PATIENCE)
        other.end()


def test_an_exclusive_test_runs_alone(tmp_path: Path) -> None:
    """Other tests, sharing or exclusive, wait until the exclusive test has released the machine."""
    with exclusive_machine(tmp_path):
        others = [Other(shared_machine, tmp_path), Other(exclusive_machine, tmp_path)]
        assert not any(other.acquired.wait(BRIEFLY) for other in others)
    for other in others:
        other.release.set()
    assert all(other.acquired.wait(PATIENCE) for other in others)
    for other in others:
        other.end()


def test_an_exclusive_test_is_not_starved(tmp_path: Path) -> None:
    """An exclusive test waits for running tests and precedes sharing tests that come later."""
    with shared_machine(tmp_path):
        alone = Other(exclusive_machine, tmp_path)
        assert not alone.acquired.wait(BRIEFLY)
        late = Other(shared_machine, tmp_path)
        assert not late.acquired.wait(BRIEFLY)
    assert alone.acquired.wait(PATIENCE)
    assert not late.acquired.wait(BRIEFLY)
    alone.end()
    assert late.acquired.wait(PATIENCE)
    late.end()
