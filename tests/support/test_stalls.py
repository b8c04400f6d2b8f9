"""The watch over a process."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.support.http import wait_until
from tests.support.stalls import ProcessWatch

BUSY = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\nwhile True: pass"
IDLE = "import time; time.sleep(60)"
SECONDS = 0.3
IN_TIME = 20.0

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="only Linux counts this")


@pytest.fixture
def running() -> Iterator[ExitStack]:
    """Yield what ends the programs that the test starts."""
    with ExitStack() as stack:
        yield stack


def started(running: ExitStack, program: str) -> int:
    """Return the process of a program."""
    process = running.enter_context(subprocess.Popen([sys.executable, "-c", program]))
    running.callback(process.kill)
    return process.pid


def test_a_thread_that_shares_a_processor_waits(running: ExitStack) -> None:
    """Two programs on a processor wait for each other, which the watch sees."""
    one, _ = (started(running, BUSY) for _ in range(2))
    watch = ProcessWatch(one)
    wait_until(lambda: watch.longest() > 0.005, IN_TIME)


def test_a_thread_that_sleeps_does_not_wait(running: ExitStack) -> None:
    """A program that wants no processor does not wait for one, and its end is no stall."""
    watch = ProcessWatch(started(running, IDLE))
    time.sleep(SECONDS)
    watch.longest()  # of its start
    time.sleep(SECONDS)
    running.close()
    time.sleep(SECONDS)
    assert watch.longest() < 0.1
