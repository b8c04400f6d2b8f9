"""A process with an outbox, to be killed: python -m tests.gateway.outbox.child FOLDER [BYTES OF A FILE].

It puts an event every five milliseconds. Each tenth is an end, and is synchronized. The process prints
"put NUMBER" after a put, and "end NUMBER WAITING" after a synchronized end.
"""

import asyncio
import resource
import sys
from pathlib import Path

from gateway.outbox.outbox import Outbox
from tests.gateway.outbox.events import maker

PORT = 8000


async def run(folder: Path) -> None:
    """Put events until this process is killed."""
    make = maker()
    async with Outbox(PORT, folder) as outbox:
        while True:
            is_end = outbox.last % 10 == 9
            outbox.put(make, is_end)
            print("put", outbox.last, flush=True)
            if is_end:
                await outbox.sync()
                print("end", outbox.last, outbox.waiting, flush=True)
            await asyncio.sleep(0.005)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        size = int(sys.argv[2])
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    asyncio.run(run(Path(sys.argv[1])))
