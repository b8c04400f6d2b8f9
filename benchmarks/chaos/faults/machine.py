"""Faults of the machine: its clock and its cores."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import cycle
from pathlib import Path

from benchmarks.chaos.faults.fault import Fault, NotHereError, repeated
from benchmarks.chaos.stage import Searcher, Stage

_FAKETIME = "/usr/lib/*-linux-gnu/faketime/libfaketimeMT.so.1"

_OFFSETS = ("+1h", "+0", "-1h", "+0")
"""Each is an hour from the one before it."""

_HOG = "import time; end = time.monotonic() + 1800\nwhile time.monotonic() < end: pass"
"""A program that wants a core all the time, though not forever."""


class SteppedClock(Fault):
    """A clock that is set."""

    name = "clock steps an hour"
    sentence = "Every 2 s the wall clock of gateway and searcher jumps by an hour, forwards or back."
    is_short = False

    @asynccontextmanager
    async def prepared(self, stage: Stage) -> AsyncIterator[None]:
        """Give the gateway and a searcher a clock that a file sets."""
        library = next(Path("/").glob(_FAKETIME[1:]), None)
        if library is None:
            raise NotHereError("needs libfaketime (Debian's package libfaketime)")
        self._offset = stage.folder / "faketimerc"
        self._offset.write_text("+0")
        clock = {"LD_PRELOAD": str(library), "FAKETIME_TIMESTAMP_FILE": str(self._offset)}
        clock |= {"FAKETIME_CACHE_DURATION": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        stage.settings |= clock
        searcher = Searcher(settings=clock)
        stage.target = searcher.target
        try:
            await searcher.settled()
            yield
        finally:
            searcher.kill()

    @asynccontextmanager
    async def on(self, stage: Stage) -> AsyncIterator[None]:
        """Set the clock again and again."""
        offsets = cycle(_OFFSETS)

        async def step() -> None:
            self._offset.write_text(next(offsets))

        async with repeated(step):
            yield


class Hogs(Fault):
    """Programs that want all cores."""

    def __init__(self, per_core: int, is_short: bool) -> None:
        self.name = f"{per_core} CPU hogs a core"
        self.sentence = f"{per_core} busy programs for each core compete with gateway, searcher and engine."
        self.is_short = is_short
        self._per_core = per_core

    @asynccontextmanager
    async def on(self, stage: Stage) -> AsyncIterator[None]:
        """Run the hogs."""
        with _hogs(self._per_core, os.sched_getaffinity(0)):
            yield


class HogsElsewhere(Fault):
    """Programs that want all cores but the gateway's."""

    name = "CPU hogs, the gateway has a core"
    is_short = False
    sentence = "The gateway has the first core. The searchers and 4 busy programs a core share the others."

    @asynccontextmanager
    async def on(self, stage: Stage) -> AsyncIterator[None]:
        """Pin the gateway to the first core, and the hogs and the searcher to the others."""
        first, *others = sorted(os.sched_getaffinity(0))
        if not others:
            raise NotHereError("needs two cores")
        for searcher in stage.searchers:
            _pin(searcher.pid, others)
        _pin(stage.gateway, [first])
        try:
            with _hogs(4, others):
                yield
        finally:
            for searcher in stage.searchers:
                _pin(searcher.pid, [first, *others])


@contextmanager
def _hogs(per_core: int, cores: Collection[int]) -> Iterator[None]:
    """Run the hogs on these cores until the block ends."""
    number = per_core * len(cores)
    hogs = [subprocess.Popen([sys.executable, "-c", _HOG]) for _ in range(number)]
    try:
        for hog in hogs:
            _pin(hog.pid, cores)
        yield
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()


def _pin(process: int, cores: Collection[int]) -> None:
    """Keep all threads of a process on these cores."""
    for thread in Path(f"/proc/{process}/task").iterdir():
        os.sched_setaffinity(int(thread.name), cores)


FAULTS = (SteppedClock(), Hogs(2, is_short=True), Hogs(4, is_short=False), HogsElsewhere())
