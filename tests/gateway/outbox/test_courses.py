"""Random courses of an outbox with small bounds and a disk that is full at times."""

import asyncio
import errno
import os
import random
from pathlib import Path

import pytest

from gateway.outbox import outbox as module
from gateway.outbox.outbox import Outbox
from tests.gateway.outbox.events import SIZE, maker, numbers, read_all

MAKE = maker()

write = os.pwrite


async def _course(choose: random.Random, outbox: Outbox) -> None:
    """Put, read, acknowledge and synchronize in any order, and begin again to read at times."""
    after = outbox.acknowledged
    for _ in range(500):
        match choose.choices(
            ("put", "read", "acknowledge", "reconnect", "sync", "wait"), (20, 12, 4, 1, 1, 2)
        ):
            case ["put"]:
                for _ in range(choose.randrange(1, 60)):
                    outbox.put(MAKE, choose.random() < 0.1)
            case ["read"]:
                data, last = await outbox.read(after, choose.randrange(1, 200 * SIZE))
                found = numbers(data)
                assert found == sorted(set(found)) and (not found or found[0] > after)
                assert last == (found[-1] if found else outbox.last)
                after = last
            case ["acknowledge"]:
                outbox.acknowledge(choose.randint(0, after))
            case ["reconnect"]:
                after = outbox.acknowledged
            case ["sync"]:
                await outbox.sync()
            case ["wait"]:
                await asyncio.sleep(choose.random() * 0.01)
        after = max(after, outbox.acknowledged)


@pytest.mark.parametrize("seed", range(4))
async def test_any_course_keeps_order_and_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Reads ascend, memory stays within its bound, and every event is acknowledged, waiting or counted."""
    choose = random.Random(seed)
    for name, seconds in (("_TICK", 0.01), ("_RETRY", 0.02)):
        monkeypatch.setattr(module, name, seconds)

    # No process dies here, so the disk itself need not have anything.
    monkeypatch.setattr(os, "fsync", lambda file: None)

    def pwrite(file: int, data: memoryview, offset: int) -> int:
        if choose.random() < 0.1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, data[: len(data) // 3] if choose.random() < 0.1 else data, offset)

    for _ in range(3):
        memory = choose.choice((2**17, 2**20))
        async with Outbox(1, tmp_path, memory_bytes=memory, file_bytes=4 * 2**20) as outbox:
            before = await read_all(outbox)
            first = outbox.last + 1
            with monkeypatch.context() as patch:
                patch.setattr(os, "pwrite", pwrite)
                await _course(choose, outbox)
                assert sum(len(event.data) for event in outbox._memory) <= memory
            await asyncio.sleep(0.05)
            await outbox.sync()
            found = await read_all(outbox)
            expected = [n for n in (*before, *range(first, outbox.last + 1)) if n > outbox.acknowledged]
            assert found == sorted(set(found)) and set(found) <= set(expected)
            assert len(found) == outbox.waiting >= len(expected) - outbox.dropped
