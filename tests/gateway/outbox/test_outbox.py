"""The outbox with real files: order, bounds, faults of the disk, and the time of the event loop."""

import asyncio
import errno
import os
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from gateway.outbox import outbox as module
from gateway.outbox.outbox import Outbox
from tests.gateway.outbox.events import SIZE, maker, read_all
from tests.support.logs import capture_logs

MAKE = maker()

PORT = 8000

HANGS = """
import asyncio, threading
from gateway.outbox.outbox import _Worker

async def main():
    worker = _Worker("outbox")
    await asyncio.wait([asyncio.ensure_future(worker.run(threading.Event().wait))], timeout=0.1)
    worker.close()

asyncio.run(main())
print("over")
"""


def put(outbox: Outbox, count: int, is_kept: bool = False) -> None:
    """Put events into the outbox."""
    for _ in range(count):
        outbox.put(MAKE, is_kept)


async def put_slowly(outbox: Outbox, count: int, is_kept: Callable[[int], bool]) -> None:
    """Put events into the outbox, and let the thread write meanwhile."""
    for number in range(count):
        outbox.put(MAKE, is_kept(number))
        if number % 200 == 0:
            await asyncio.sleep(0.005)


def file_size(folder: Path) -> int:
    """Return the bytes of the outbox's file."""
    return (folder / f"outbox-{PORT}").stat().st_size


async def test_prompt_acknowledgements_need_no_file(tmp_path: Path) -> None:
    """Events that the console stores at once are never written."""
    async with Outbox(PORT, tmp_path) as outbox:
        for start in range(0, 100, 10):
            put(outbox, 10)
            await asyncio.sleep(0.1)
            assert await outbox.read(start, 2**20) == (
                b"".join(map(MAKE, range(start + 1, start + 11))),
                start + 10,
            )
            outbox.acknowledge(start + 10)
        assert (outbox.waiting, outbox.size, outbox.acknowledged) == (0, 0, 100)
        assert file_size(tmp_path) == 0


async def test_events_go_into_the_file_within_a_second(tmp_path: Path) -> None:
    """Without acknowledgements, the file has an event after 0.8 s. Once all are acknowledged, it is empty."""
    async with Outbox(PORT, tmp_path) as outbox:
        put(outbox, 5)
        await asyncio.sleep(0.9)
        assert file_size(tmp_path) > 5 * SIZE
        put(outbox, 5)
        assert (await read_all(outbox), outbox.waiting) == ([*range(1, 11)], 10)
        outbox.acknowledge(7)
        assert await read_all(outbox) == [8, 9, 10]
        outbox.acknowledge(10)
        await asyncio.sleep(0.9)
        assert (outbox.waiting, file_size(tmp_path)) == (0, 0)
    assert outbox._task.done()


async def test_concurrent_syncs_share_a_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred ends at a time wait for two writes at most."""
    calls: list[int] = []
    fsync = os.fsync
    async with Outbox(PORT, tmp_path) as outbox:

        def slow(file: int) -> None:
            calls.append(file)
            time.sleep(0.05)
            fsync(file)

        monkeypatch.setattr(os, "fsync", slow)

        async def end() -> None:
            outbox.put(MAKE, True)
            await outbox.sync()

        await asyncio.gather(*(end() for _ in range(100)))
        assert file_size(tmp_path) > 100 * SIZE and len(calls) <= 2
        calls.clear()
        await outbox.sync()
        assert calls == []


@pytest.mark.parametrize("is_unwritable", [False, True])
async def test_without_a_folder_events_are_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_unwritable: bool
) -> None:
    """Without a home directory or with an unusable folder, only the events beyond memory are lost."""
    folder = None
    if is_unwritable:
        folder = tmp_path / "file"
        folder.touch()
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    with capture_logs() as lines:
        async with Outbox(PORT, folder, memory_bytes=2**20) as outbox:
            put(outbox, 500)
            await outbox.sync()
            assert await read_all(outbox) == [*range(1, 501)]
            put(outbox, 5000)
            found = await read_all(outbox)
            assert found == [*range(found[0], 5501)] and outbox.dropped == 5500 - len(found)
            assert 0.9 * 2**20 < outbox.size <= 2**20
    assert [(line["log_level"], line["event"]) for line in lines] == [
        ("info", "outbox in memory alone"),
        ("warning", "events dropped"),
    ]


@asynccontextmanager
async def full_disk(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """No write succeeds during the block."""

    def fail(*_: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", fail)
        yield


async def test_a_full_disk_costs_events_beyond_memory_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ends stay in memory longer than moves. Once there is room, the file takes all of them."""
    monkeypatch.setattr(module, "_RETRY", 0.2)
    with capture_logs() as lines:
        async with Outbox(PORT, tmp_path, memory_bytes=2**20) as outbox:
            async with full_disk(monkeypatch):
                await put_slowly(outbox, 800, lambda _: False)
                assert await read_all(outbox) == [*range(1, 801)]
                await put_slowly(outbox, 5000, lambda number: number % 100 == 99)
                await asyncio.gather(*(outbox.sync() for _ in range(3)))
                found = await read_all(outbox)
            ends = [*range(900, 5801, 100)]
            assert [number for number in found if number in ends] == ends
            moves = [number for number in found if number not in ends]
            assert moves == [number for number in range(moves[0], 5801) if number not in ends]
            assert outbox.size <= 2**20 and len(found) == outbox.waiting == 5800 - outbox.dropped
            await asyncio.sleep(0.5)
            put(outbox, 1)
            await outbox.sync()
            assert file_size(tmp_path) > len(found) * SIZE
            assert await read_all(outbox) == [*found, 5801]
    assert [line["event"] for line in lines] == [
        "outbox not written",
        "events dropped",
        "outbox written again",
    ]


async def test_a_slow_disk_delays_an_end_by_a_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that hangs is logged, and the answer goes on."""
    hang = threading.Event()
    fsync = os.fsync
    with capture_logs() as lines:
        async with Outbox(PORT, tmp_path) as outbox:
            monkeypatch.setattr(os, "fsync", lambda file: (hang.wait(10), fsync(file)))
            put(outbox, 1, is_kept=True)
            start = time.monotonic()
            await outbox.sync()
            assert 0.9 < time.monotonic() - start < 1.5
            hang.set()
            await outbox.sync()
    assert [line["event"] for line in lines] == ["outbox not written", "outbox written again"]


async def test_memory_is_bounded_while_the_disk_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The events that the thread is about to write count, and neither moves nor ends exceed the rest."""
    hang, write = threading.Event(), os.pwrite

    def slow(file: int, data: memoryview, offset: int) -> int:
        hang.wait(10)
        return write(file, data, offset)

    async with Outbox(PORT, tmp_path, memory_bytes=2**17) as outbox:
        monkeypatch.setattr(os, "pwrite", slow)
        put(outbox, 100)
        await asyncio.sleep(0.05)
        for is_kept in (False, True):
            put(outbox, 500, is_kept)
            assert outbox.size <= 2**17
        hang.set()
        await outbox.sync()
        found = await read_all(outbox)
        assert (found[:100], len(found) + outbox.dropped) == ([*range(1, 101)], 1100)


async def test_an_unreadable_file_costs_its_events_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is set aside, and reading goes on with memory."""
    with capture_logs() as lines:
        async with Outbox(PORT, tmp_path) as outbox:
            put(outbox, 10)
            await outbox.sync()
            put(outbox, 5)

            def fail(*_: Any) -> bytes:
                raise OSError(errno.EIO, "Input/output error")

            with monkeypatch.context() as patch:
                patch.setattr(os, "pread", fail)
                assert await read_all(outbox) == [*range(11, 16)]
            assert (outbox.dropped, outbox.waiting) == (10, 5)
    assert [line["event"] for line in lines] == ["outbox set aside", "events dropped"]
    async with Outbox(PORT, tmp_path) as outbox:
        assert await read_all(outbox) == [*range(11, 16)]


def _own_time() -> float:
    """Return seconds without the waits of threads for a processor, if the system counts these."""
    waited = 0
    for task in Path("/proc/self/task").glob("*/schedstat"):
        with suppress(OSError):
            waited += int(task.read_text().split()[1])
    return time.monotonic() - waited / 1e9


@asynccontextmanager
async def pauses() -> AsyncIterator[list[float]]:
    """Yield a list that gets, at the end of the block, the longest seconds of a blocked event loop."""
    times: list[float] = []

    async def tick() -> None:
        while True:
            times.append(_own_time())
            await asyncio.sleep(0.001)

    ticking, longest = asyncio.create_task(tick()), list[float]()
    try:
        yield longest
    finally:
        ticking.cancel()
        longest.append(max(after - before for before, after in pairwise(times)))


async def _fill_and_drain(folder: Path) -> list[float]:
    """Put 80 MB into a file of 64 MB, restart, and read all; return the longest pauses of the event loop."""
    async with pauses() as longest, Outbox(PORT, folder) as outbox:
        for _ in range(1600):
            put(outbox, 50)
            await asyncio.sleep(0.002)
        await outbox.sync()
        assert 32 * 2**20 < outbox.size < 68 * 2**20
    async with pauses() as of_reads, Outbox(PORT, folder) as outbox:
        after = 0
        while after < outbox.last:
            _, after = await outbox.read(after, 2**20)
            outbox.acknowledge(after - 500)
        outbox.acknowledge(after)
        await outbox.sync()
        assert outbox.waiting == 0
    return [*longest, *of_reads]


@pytest.mark.alone
async def test_the_event_loop_is_never_blocked(tmp_path: Path) -> None:
    """Filling, rewriting, recovery and reading of 64 MB leave the event loop free."""
    longest = await _fill_and_drain(tmp_path)
    assert max(longest) < 0.25, longest


def test_work_that_hangs_does_not_keep_the_process() -> None:
    """A lost disk would otherwise keep a gateway alive after its end."""
    ended = subprocess.run([sys.executable, "-c", HANGS], capture_output=True, text=True, timeout=20)
    assert (ended.returncode, ended.stdout) == (0, "over\n"), ended.stderr
