"""A process that fills an outbox: python -m tests.gateway.outbox.filler FOLDER MB.

It prints the bytes that wait, and by how many bytes the resident memory has grown at its peak.
"""

import asyncio
import gc
import sys
from pathlib import Path

from gateway.outbox.outbox import Outbox
from tests.gateway.outbox.events import maker


def peak() -> int:
    """Return the highest resident bytes of this process so far."""
    line = next(
        line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")
    )
    return int(line.split()[1]) * 1024


async def run(folder: Path, megabytes: int) -> None:
    """Fill, restart, and read all."""
    make = maker()
    gc.collect()
    before = peak()
    async with Outbox(8000, folder) as outbox:
        for _ in range(megabytes * 1024 // 50):
            for _ in range(50):
                outbox.put(make, False)
            await asyncio.sleep(0.002)
        await outbox.sync()
    async with Outbox(8000, folder) as outbox:
        waiting, after = outbox.size, 0
        while after < outbox.last:
            _, after = await outbox.read(after, 2**20)
    print(waiting, peak() - before)


if __name__ == "__main__":
    asyncio.run(run(Path(sys.argv[1]), int(sys.argv[2])))
