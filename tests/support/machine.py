"""Tests of several processes share the machine; one that plays against the clock has it to itself."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from fcntl import LOCK_EX, LOCK_SH, flock
from pathlib import Path


@contextmanager
def locked(file: Path, kind: int = LOCK_EX) -> Iterator[None]:
    """Until the block ends nobody else has the file locked, or with LOCK_SH nobody but for sharing it."""
    # An own opening each time: locks of one opening would replace each other. Closing it ends the lock.
    with file.open("w") as opened:
        flock(opened, kind)
        yield


@contextmanager
def machine_shared(locks: Path) -> Iterator[None]:
    """Until the block ends nobody has the machine alone; waits for whoever does. `locks`: a folder of all."""
    with ExitStack() as stack:
        # Behind who waits to be alone: without the gate, tests that follow each other would never let it in.
        with locked(locks / "gate"):
            stack.enter_context(locked(locks / "machine", LOCK_SH))
        yield


@contextmanager
def machine_alone(locks: Path) -> Iterator[None]:
    """Until the block ends nobody shares the machine; waits for those who do."""
    with locked(locks / "gate"), locked(locks / "machine"):
        yield
