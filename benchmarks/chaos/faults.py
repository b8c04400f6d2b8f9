"""The faults of the network, the searchers and the machine."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from benchmarks.chaos.relay import Line
from benchmarks.chaos.stage import Context, Fault, Stage, again

CUT, STOPPED = 1.5, 2.0
"""Seconds that a misbehaviour lasts."""

BETWEEN_KILLS = 5.0
"""Seconds between two kills: longer than a searcher takes to start."""

HOGS = 4
"""The busy programs for each core."""

HOG = "import time; end = time.monotonic() + 1800\nwhile time.monotonic() < end: pass"
"""A program that keeps a core busy for a limited time."""


def changed(line: Line) -> Context:
    """Return a context in which the line is bad all the time."""

    @asynccontextmanager
    async def on(stage: Stage) -> AsyncIterator[None]:
        stage.relay.line = line
        try:
            yield
        finally:
            stage.relay.line = Line()

    return on


async def cut(stage: Stage) -> None:
    """Cut the line for a while."""
    stage.relay.line = replace(stage.relay.line, is_cut=True)
    try:
        await asyncio.sleep(CUT)
    finally:
        stage.relay.line = Line()


async def bury(stage: Stage) -> None:
    """Let all data on the open connections vanish."""
    stage.relay.bury()


async def reset(stage: Stage) -> None:
    """Reset the connections."""
    stage.relay.reset()


async def kill(stage: Stage) -> None:
    """Kill the first searcher, and start it again."""
    stage.searchers[0].kill()
    stage.searchers[0].start()
    await asyncio.sleep(BETWEEN_KILLS)


async def stop(stage: Stage) -> None:
    """Stop the first searcher for a while."""
    stage.searchers[0].send(signal.SIGSTOP)
    try:
        await asyncio.sleep(STOPPED)
    finally:
        stage.searchers[0].send(signal.SIGCONT)


@asynccontextmanager
async def hogged(_stage: Stage) -> AsyncIterator[None]:
    """Take all cores by busy programs."""
    number = HOGS * len(os.sched_getaffinity(0))
    hogs = [subprocess.Popen([sys.executable, "-c", HOG]) for _ in range(number)]
    try:
        yield
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()


_KILLED = "Every 7 s a searcher gets SIGKILL and is started again at once."
_STOPPED = "Every 4 s a searcher gets SIGSTOP, and SIGCONT 2 s later."

_ALL = (
    Fault("none", "No fault: the other rows are compared with this one.", is_short=False),
    Fault(
        "delay of 100 ms",
        "Every byte arrives 100 ms later, in each direction.",
        changed(Line(delay=0.1)),
        is_short=False,
    ),
    Fault(
        "delay of 600 ms",
        "Every byte arrives 600 ms later: after the timeout.",
        changed(Line(delay=0.6)),
        is_short=False,
    ),
    Fault(
        "bursts of up to 300 ms",
        "Pieces of data are held for up to 300 ms, and later pieces arrive with them.",
        changed(Line(jitter=0.3)),
    ),
    Fault(
        "line cut for 1.5 s",
        "Every 3.5 s no byte passes for 1.5 s. Connections stay, and the data arrives afterwards.",
        again(cut),
    ),
    Fault(
        "connection dead",
        "Early in the first game the open connection dies: further data on it vanishes without an error, as "
        "when a router has forgotten it. New connections work.",
        again(bury, pause=3600.0),
    ),
    Fault("resets", "Every 2 s all connections end with RST.", again(reset)),
    Fault("searcher killed, one of two", _KILLED, again(kill), direct=2, is_short=False),
    Fault("searcher killed, the only one", _KILLED, again(kill), direct=1),
    Fault("searcher stopped, one of two", _STOPPED, again(stop), direct=2),
    Fault("searcher stopped, the only one", _STOPPED, again(stop), direct=1, is_short=False),
    Fault(
        f"{HOGS} CPU hogs a core",
        f"{HOGS} busy programs for each core compete with gateway, searcher and engine.",
        hogged,
        # Tests beside a short run compete enough.
        is_short=False,
    ),
)

FAULTS = {fault.name: fault for fault in _ALL}
"""All faults by name, in the order of the page's table."""
