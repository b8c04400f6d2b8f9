"""Processes with an outbox that are killed or have a full disk, and the memory of one with much to keep."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gateway.outbox.outbox import Outbox
from tests.gateway.outbox.child import PORT
from tests.gateway.outbox.events import read_all

LOST = 200 + 50
"""The events that a process puts in a second at most, and some that it puts while it is being killed."""


def _run(folder: Path, *args: str, seconds: float) -> list[list[str]]:
    """Let a process put events, kill it after seconds, and return the words of its lines."""
    command = [sys.executable, "-m", "tests.gateway.outbox.child", str(folder), *args]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        first = process.stdout.readline()
        time.sleep(seconds)
        os.kill(process.pid, signal.SIGKILL)
        # The last line may be torn.
        lines = (first + process.stdout.read()).rpartition("\n")[0].splitlines()
    return [line.split() for line in lines]


def _highest(lines: list[list[str]], word: str) -> int:
    return max(int(line[1]) for line in lines if line[0] == word)


async def _waiting(folder: Path) -> list[int]:
    async with Outbox(PORT, folder) as outbox:
        return await read_all(outbox)


@pytest.mark.rest("killed processes")
@pytest.mark.parametrize("seconds", [0.05, 0.333, 1.5])
async def test_a_killed_process_loses_the_moves_of_a_second(tmp_path: Path, seconds: float) -> None:
    """No end whose sync has returned is lost. The next processes go on with the numbers."""
    last = 0
    for _ in range(2):
        lines = await asyncio.to_thread(_run, tmp_path, seconds=seconds)
        found = await _waiting(tmp_path)
        assert int(lines[0][1]) == last + 1
        last = len(found)
        assert found == [*range(1, last + 1)]
        ends = [int(line[1]) for line in lines if line[0] == "end"]
        assert not ends or ends[-1] <= last
        assert _highest(lines, "put") - LOST <= last


@pytest.mark.rest("killed processes")
async def test_a_full_disk_keeps_what_fits(tmp_path: Path) -> None:
    """The file takes what it can, and the process goes on: sync returns at once, and memory has the rest."""
    lines = await asyncio.to_thread(_run, tmp_path, "50000", seconds=1.5)
    ends = [line for line in lines if line[0] == "end"]
    assert len(ends) > 10
    # Nothing was dropped.
    assert all(number == waiting for _, number, waiting in ends)
    found = await _waiting(tmp_path)
    assert 30 <= len(found) <= 50 and found == [*range(1, len(found) + 1)]


async def test_memory_stays_small_with_a_full_file(tmp_path: Path) -> None:
    """With 60 MB of waiting events a process grows by at most 12 MB, even while it reads them all."""
    command = [sys.executable, "-m", "tests.gateway.outbox.filler", str(tmp_path), "60"]
    result = await asyncio.to_thread(subprocess.run, command, check=True, stdout=subprocess.PIPE)
    waiting, growth = map(int, result.stdout.split())
    assert waiting > 55 * 2**20
    assert growth < 12 * 2**20
    print(waiting, growth)
