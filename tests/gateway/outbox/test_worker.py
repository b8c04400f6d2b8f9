"""A thread whose work may never end."""

import subprocess
import sys

import pytest

from gateway.outbox.worker import Worker

HANGS = """
import asyncio, threading
from gateway.outbox.worker import Worker

async def main():
    worker = Worker("outbox")
    await asyncio.wait([asyncio.ensure_future(worker.run(threading.Event().wait))], timeout=0.1)
    worker.close()

asyncio.run(main())
print("over")
"""


async def test_work_is_done_in_order() -> None:
    """Results and errors come back, and a closed thread takes no more work."""
    worker, done = Worker("test"), list[int]()
    for number in range(3):
        await worker.run(lambda number=number: done.append(number))  # type: ignore[misc]
    with pytest.raises(ZeroDivisionError):
        await worker.run(lambda: 1 // 0)
    worker.close()
    with pytest.raises(RuntimeError, match="closed"):
        await worker.run(lambda: None)
    assert done == [0, 1, 2]


def test_work_that_hangs_does_not_keep_the_process() -> None:
    """A lost disk would otherwise keep a gateway alive after its end."""
    ended = subprocess.run([sys.executable, "-c", HANGS], capture_output=True, text=True, timeout=20)
    assert (ended.returncode, ended.stdout) == (0, "over\n"), ended.stderr
