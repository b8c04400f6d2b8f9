"""Locks between test processes: most tests share the machine, a timing-sensitive test has it to itself."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from fcntl import LOCK_EX, LOCK_SH, flock
from pathlib import Path

from tests.support.services import ROOT

LOCKS = ROOT / ".cache" / "test-locks"
"""The folder of this checkout's test runs."""


@contextmanager
def locked(file: Path, kind: int = LOCK_EX) -> Iterator[None]:
    """Hold a lock on the file until the block ends: an exclusive lock, or a shared one with LOCK_SH."""
    # Each lock opens the file anew, since locks on one open file replace each other. Closing releases the
    # lock.
    with file.open("w") as opened:
        flock(opened, kind)
        yield


@contextmanager
def shared_machine(locks: Path) -> Iterator[None]:
    """Share the machine until the block ends; wait for an exclusive holder first.

    `locks` is a folder that all test processes have in common.
    """
    with ExitStack() as stack:
        # Queue behind a waiting exclusive test. Without the gate, a stream of sharing tests would starve it.
        with locked(locks / "gate"):
            stack.enter_context(locked(locks / "machine", LOCK_SH))
        yield


@contextmanager
def exclusive_machine(locks: Path) -> Iterator[None]:
    """Hold the machine exclusively until the block ends; wait for all other holders first."""
    with locked(locks / "gate"), locked(locks / "machine"):
        yield
