"""The faults of the network, processes, the disk, the database, certificates and the machine."""

import asyncio
import os
import resource
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path

from benchmarks.chaos.relay import Line, relay
from benchmarks.chaos.stage import FIRST, Context, Fault, NotHereError, Searcher, Stage, again, repeated
from tests.support import certificates
from tests.support.postgres import Postgres, PostgresMissingError
from tests.support.processes import family, module

MEASURING = 2.0
"""Seconds in which a game shows the bandwidth that it needs."""

CUT, STOPPED, DOWN, EXPIRED = 1.5, 2.0, 2.0, 1.0
"""Seconds that a misbehaviour lasts."""

BETWEEN_KILLS = 5.0
"""Seconds between two kills: longer than a searcher takes to start."""

SMALLEST = 1024
"""Bytes that a file may have: fewer than any that gateway and console write."""

FAKETIME = "usr/lib/*-linux-gnu/faketime/libfaketimeMT.so.1"

OFFSETS = ("+1h", "+0", "-1h", "+0")
"""The offsets of the clock. Each is an hour from the offset before it."""

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


@asynccontextmanager
async def half_bandwidth(stage: Stage) -> AsyncIterator[None]:
    """Measure the bandwidth of a game, and halve it."""

    async def halve() -> None:
        await asyncio.sleep(FIRST)
        before = stage.relay.received
        await asyncio.sleep(MEASURING)
        needed = (stage.relay.received - before) / MEASURING
        stage.relay.line = Line(bytes_per_second=needed / 2)

    async with asyncio.TaskGroup() as group:
        halving = group.create_task(halve())
        yield
        halving.cancel()
        stage.relay.line = Line()


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
    """Kill the searcher that the gateway has started, and leave its console alone."""
    _signal_own(stage, "searcher", signal.SIGKILL)


def _signal_own(stage: Stage, service: str, number: int) -> None:
    """Send a signal to a service that the gateway has started."""
    for process in family(stage.gateway):
        with suppress(OSError):
            if module(process) == service:
                os.kill(process, number)


async def kill_own_console(stage: Stage) -> None:
    """Kill the console that the gateway has started."""
    _signal_own(stage, "console", signal.SIGKILL)


async def stop_own_console(stage: Stage) -> None:
    """Stop the console that the gateway has started for a while."""
    _signal_own(stage, "console", signal.SIGSTOP)
    try:
        await asyncio.sleep(STOPPED)
    finally:
        _signal_own(stage, "console", signal.SIGCONT)


@asynccontextmanager
async def small_disk(stage: Stage) -> AsyncIterator[None]:
    """Mount a small disk, on which gateway and console write all of their files."""
    disk = stage.folder / "disk"
    disk.mkdir()
    try:
        command = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)]
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        raise NotHereError("needs the right to mount a disk") from None
    stage.outcomes, stage.log = str(disk / "outcomes.sqlite"), disk / "gateway.jsonl"
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


@asynccontextmanager
async def full_disk(stage: Stage) -> AsyncIterator[None]:
    """Fill the disk of the log."""
    filler = stage.log.parent / "filler"
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while file.write(bytes(4096)):
            pass
    try:
        yield
    finally:
        filler.unlink()


@asynccontextmanager
async def limited_files(stage: Stage) -> AsyncIterator[None]:
    """Limit the size of the files of gateway and console, where a small disk can't be mounted."""
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
async def postgres(stage: Stage) -> AsyncIterator[None]:
    """Run PostgreSQL for the outcomes."""
    try:
        stage.database = Postgres()
    except PostgresMissingError:
        raise NotHereError("needs PostgreSQL") from None
    with stage.database:
        stage.outcomes = stage.database.url
        yield


@asynccontextmanager
async def without_database(stage: Stage) -> AsyncIterator[None]:
    """Kill PostgreSQL, and start it at the end."""
    assert stage.database
    stage.database.kill()
    try:
        yield
    finally:
        # Start it in a thread, because the relay needs this event loop.
        await asyncio.to_thread(stage.database.start)


async def restart_database(stage: Stage) -> None:
    """Kill PostgreSQL, and start it after a while."""
    async with without_database(stage):
        await asyncio.sleep(DOWN)


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


async def renew(stage: Stage, expires: datetime | None = None) -> None:
    """Replace the certificate, and reset the connection."""
    certificates.write(stage.folder / "tls", stage.authority, expires)
    stage.relay.reset()


async def renew_late(stage: Stage) -> None:
    """Replace the certificate by an expired one, and after a while by a valid one."""
    await renew(stage, datetime.now(UTC) - timedelta(days=1))
    try:
        await asyncio.sleep(EXPIRED)
    finally:
        certificates.write(stage.folder / "tls", stage.authority)


@asynccontextmanager
async def fake_clock(stage: Stage) -> AsyncIterator[None]:
    """Give the gateway and a searcher a clock that a file sets."""
    library = next(Path("/").glob(FAKETIME), None)
    if library is None:
        raise NotHereError("needs libfaketime (Debian's package libfaketime)")
    offset = stage.folder / "faketimerc"
    offset.write_text("+0")
    clock = {"LD_PRELOAD": str(library), "FAKETIME_TIMESTAMP_FILE": str(offset)}
    clock |= {"FAKETIME_CACHE_DURATION": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    stage.settings |= clock
    searcher = Searcher(settings=clock)
    stage.target = searcher.target
    try:
        await searcher.settled()
        yield
    finally:
        searcher.kill()


def stepped_clock(stage: Stage) -> AbstractAsyncContextManager[None]:
    """Set the clock again and again."""
    offsets = cycle(OFFSETS)

    async def step() -> None:
        (stage.folder / "faketimerc").write_text(next(offsets))

    return repeated(step)


def hogged(per_core: int) -> Context:
    """Return a context in which busy programs take all cores."""

    @asynccontextmanager
    async def on(_stage: Stage) -> AsyncIterator[None]:
        with hogs(per_core, os.sched_getaffinity(0)):
            yield

    return on


@asynccontextmanager
async def hogged_elsewhere(stage: Stage) -> AsyncIterator[None]:
    """Pin the gateway to the first core, and hogs and searchers to the others."""
    first, *others = sorted(os.sched_getaffinity(0))
    if not others:
        raise NotHereError("needs two cores")
    for searcher in stage.searchers:
        pin(searcher.pid, others)
    pin(stage.gateway, [first])
    try:
        with hogs(4, others):
            yield
    finally:
        for searcher in stage.searchers:
            pin(searcher.pid, [first, *others])


@contextmanager
def hogs(per_core: int, cores: Collection[int]) -> Iterator[None]:
    """Run busy programs on these cores until the block ends."""
    running = [subprocess.Popen([sys.executable, "-c", HOG]) for _ in range(per_core * len(cores))]
    try:
        for hog in running:
            pin(hog.pid, cores)
        yield
    finally:
        for hog in running:
            hog.kill()
            hog.wait()


def pin(process: int, cores: Collection[int]) -> None:
    """Keep all threads of a process on these cores."""
    for thread in os.listdir(f"/proc/{process}/task"):
        os.sched_setaffinity(int(thread), cores)


_KILLED = "Every 7 s a searcher gets SIGKILL and is started again at once."
_STOPPED = "Every 4 s a searcher gets SIGSTOP, and SIGCONT 2 s later."

_ALL = (
    Fault("none", "No fault: the other rows are compared with this one.", is_short=False),
    Fault("delay of 100 ms", "Every byte arrives 100 ms later, in each direction.", changed(Line(delay=0.1))),
    Fault("delay of 600 ms", "Every byte arrives 600 ms later: after the timeout.", changed(Line(delay=0.6))),
    Fault(
        "bursts of up to 300 ms",
        "Pieces of data are held for up to 300 ms, and later pieces arrive with them.",
        changed(Line(jitter=0.3)),
    ),
    Fault(
        "half the bandwidth",
        f"The line passes half the bytes a second that the first {MEASURING:.0f} s of games needed.",
        half_bandwidth,
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
        "own console killed",
        "Every 7 s the console that the gateway starts itself gets SIGKILL.",
        again(kill_own_console, pause=BETWEEN_KILLS + 2.0),
        is_short=False,
        expected="console ended",
    ),
    Fault(
        "own console stopped",
        "Every 4 s the console that the gateway starts itself gets SIGSTOP, and SIGCONT 2 s later.",
        again(stop_own_console),
    ),
    Fault(
        "disk full",
        "The outbox, the database and the log are on a disk that is full until the games are over.",
        full_disk,
        small_disk,
        is_short=False,
        expected="outbox not written",
    ),
    Fault(
        "files can't grow",
        "Until the games are over, no file of gateway and console may grow (RLIMIT_FSIZE), not even the log.",
        limited_files,
    ),
    Fault(
        "database gone",
        "PostgreSQL gets SIGKILL before the first game, and starts again after the last one.",
        without_database,
        postgres,
        is_short=False,
    ),
    Fault(
        "database restarts",
        "Every 4 s PostgreSQL gets SIGKILL, and starts again 2 s later.",
        again(restart_database),
        postgres,
        is_short=False,
    ),
    Fault(
        "certificates renewed",
        "Every 2 s the searcher's certificate is replaced, and the connection is reset.",
        again(renew),
        with_tls,
        is_short=False,
    ),
    Fault(
        "certificates expired for 1 s",
        "Every 3 s the searcher has an expired certificate for 1 s. In this second the connection is reset.",
        again(renew_late),
        with_tls,
    ),
    Fault(
        "clock steps an hour",
        "Every 2 s the wall clock of gateway and searcher jumps by an hour, forwards or back.",
        stepped_clock,
        fake_clock,
        is_short=False,
    ),
    *(
        Fault(
            f"{number} CPU hogs a core",
            f"{number} busy programs for each core compete with gateway, searcher and engine.",
            hogged(number),
            is_short=False,  # Tests beside a short run compete enough.
        )
        for number in (2, 4)
    ),
    Fault(
        "CPU hogs, the gateway has a core",
        "The gateway has the first core. The searchers and 4 busy programs a core share the others.",
        hogged_elsewhere,
        is_short=False,
    ),
)

FAULTS = {fault.name: fault for fault in _ALL}
"""All faults by name, in the order of the page's table."""
