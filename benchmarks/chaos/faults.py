"""The faults of the network, processes, files, certificates and the machine."""

import asyncio
import os
import resource
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from benchmarks.chaos.relay import Line, relay
from benchmarks.chaos.stage import Context, Fault, Searcher, Stage, again
from tests.support import certificates
from tests.support.processes import family, module

CUT, STOPPED, EXPIRED = 1.5, 2.0, 1.0
"""Seconds that a misbehaviour lasts."""

BETWEEN_KILLS = 5.0
"""Seconds between two kills: longer than a searcher takes to start."""

SMALLEST = 1024
"""Bytes that a file may have: fewer than any that gateway and console write."""


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


def without_relay(searchers: int) -> Context:
    """Return a context in which the gateway has this many searchers, without the relay."""

    @asynccontextmanager
    async def prepared(stage: Stage) -> AsyncIterator[None]:
        targets = [searcher.target for searcher in stage.searchers[:searchers]]
        stage.target = f"ipv4:{','.join(targets)}" if targets else ""
        yield

    return prepared


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


async def kill_own_searcher(stage: Stage) -> None:
    """Kill the searcher that the gateway has started."""
    _signal_own(stage, "searcher", signal.SIGKILL)


def _signal_own(stage: Stage, service: str, number: int) -> None:
    """Send a signal to a service that the gateway has started."""
    for process in family(stage.gateway):
        with suppress(OSError):
            if module(process) == service:
                os.kill(process, number)


async def stop_own_console(stage: Stage) -> None:
    """Stop the console that the gateway has started for a while."""
    _signal_own(stage, "console", signal.SIGSTOP)
    try:
        await asyncio.sleep(STOPPED)
    finally:
        _signal_own(stage, "console", signal.SIGCONT)


@asynccontextmanager
async def limited_files(stage: Stage) -> AsyncIterator[None]:
    """Limit the size of the files of gateway and console, as a full disk does."""
    processes = tuple(family(stage.gateway))
    before = resource.prlimit(stage.gateway, resource.RLIMIT_FSIZE)
    for process in processes:
        resource.prlimit(process, resource.RLIMIT_FSIZE, (SMALLEST, before[1]))
    try:
        yield
    finally:
        for process in processes:
            with suppress(ProcessLookupError):
                resource.prlimit(process, resource.RLIMIT_FSIZE, before)


@asynccontextmanager
async def with_tls(stage: Stage) -> AsyncIterator[None]:
    """Run a searcher with TLS, and a relay before it."""
    files = certificates.write(stage.folder / "tls", stage.authority)
    searcher = Searcher("--tls-cert", str(files.chain), "--tls-key", str(files.key))
    try:
        await searcher.settled()
        async with relay(searcher.port) as (stage.relay, port):
            stage.target = f"grpcs://localhost:{port}"
            stage.options += ["--searcher-ca", str(files.authorities)]
            yield
    finally:
        searcher.kill()


async def renew_late(stage: Stage) -> None:
    """Replace the certificate by an expired one, reset the connection, and after a while renew it."""
    folder = stage.folder / "tls"
    certificates.write(folder, stage.authority, datetime.now(UTC) - timedelta(days=1))
    stage.relay.reset()
    try:
        await asyncio.sleep(EXPIRED)
    finally:
        certificates.write(folder, stage.authority)


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
    Fault("searcher killed, one of two", _KILLED, again(kill), without_relay(2), is_short=False),
    Fault("searcher killed, the only one", _KILLED, again(kill), without_relay(1)),
    Fault("searcher stopped, one of two", _STOPPED, again(stop), without_relay(2)),
    Fault("searcher stopped, the only one", _STOPPED, again(stop), without_relay(1), is_short=False),
    Fault(
        "embedded searcher killed",
        "Every 7 s the searcher that the gateway starts itself gets SIGKILL.",
        again(kill_own_searcher, pause=BETWEEN_KILLS + 2.0),
        without_relay(0),
        is_short=False,
        expected="searcher ended",
    ),
    Fault(
        "own console stopped",
        "Every 4 s the console that the gateway starts itself gets SIGSTOP, and SIGCONT 2 s later.",
        again(stop_own_console),
    ),
    Fault(
        "files can't grow",
        "Until the games are over, no file of gateway and console may grow (RLIMIT_FSIZE), not even the log.",
        limited_files,
    ),
    Fault(
        "certificates expired for 1 s",
        "Every 3 s the searcher has an expired certificate for 1 s. In this second the connection is reset.",
        again(renew_late),
        with_tls,
    ),
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
