"""Threads that could run and have no processor."""

import os
import threading
import time
import zlib

import pytest

from searcher.serving.scheduling.scheduler import starved_seconds

SECONDS = 0.4

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="only Linux counts this")


def _work(until: float, waited: list[float]) -> None:
    """Keep the first processor busy until a time, without the lock that other threads of Python need."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    data = bytes(1 << 20)
    before = starved_seconds()
    while time.monotonic() < until:
        zlib.crc32(data)
    waited.append(starved_seconds() - before)


def test_two_threads_on_a_processor_wait_for_each_other() -> None:
    """Each waits for about half of the time, and a thread that sleeps does not wait."""
    until, waited = time.monotonic() + SECONDS, list[float]()
    threads = [threading.Thread(target=_work, args=(until, waited)) for _ in range(2)]
    for thread in threads:
        thread.start()
    before = starved_seconds()
    for thread in threads:
        thread.join()
    assert starved_seconds() - before < 0.5 * SECONDS
    assert len(waited) == 2 and sum(waited) > 0.5 * SECONDS
