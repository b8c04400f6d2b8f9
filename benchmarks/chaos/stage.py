"""The stage of games: two searchers, a relay and the gateway's settings. A fault is a context on a stage."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import trustme

from benchmarks.chaos.relay import Relay
from tests.support.searchers import wait_until_idle
from tests.support.services import ONLY_DEFAULT, ROOT, free_port

FIRST = 1.0
"""Seconds of games before the first misbehaviour."""


class Searcher:
    """A searcher process on its own port. It can be started again after its end."""

    def __init__(self, *options: str | Path) -> None:
        self.port = free_port()
        self._command = [sys.executable, "-m", "searcher", "serve", "--listen", self.target]
        self._command += map(str, options)
        self.start()

    @property
    def target(self) -> str:
        """Its address for a gateway."""
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the process, without waiting until it serves."""
        self._process = subprocess.Popen(
            self._command,
            cwd=ROOT,
            env=os.environ | ONLY_DEFAULT,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    async def settled(self) -> None:
        """Wait until the process has loaded everything, because until then it has less time for searches."""
        await wait_until_idle(self._process)

    def kill(self) -> None:
        """Kill the process with SIGKILL."""
        self._process.kill()
        self._process.wait()

    def send(self, number: int) -> None:
        """Send a signal to the process."""
        self._process.send_signal(number)


@dataclass
class Stage:
    """The services of games. Faults change it before the gateway starts, and misbehave afterwards."""

    folder: Path
    relay: Relay
    relayed: str
    """The target of the first searcher, through the relay."""
    searchers: tuple[Searcher, Searcher]
    options: list[str | Path] = field(default_factory=list)
    """Further options of the gateway."""
    gateway: int = 0
    """The gateway's process id, once it is ready."""
    authority: trustme.CA = field(default_factory=trustme.CA)
    """The authority of certificates, for faults of them."""

    def __post_init__(self) -> None:
        self.target = self.relayed
        self.log = self.folder / "gateway.jsonl"
        self.outcomes = self.folder / "outcomes.sqlite"


@asynccontextmanager
async def two_searchers() -> AsyncIterator[tuple[Searcher, Searcher]]:
    """Run two searchers until the block ends."""
    searchers = Searcher(), Searcher()
    try:
        for searcher in searchers:
            await searcher.settled()
        yield searchers
    finally:
        for searcher in searchers:
            searcher.kill()


Context = Callable[[Stage], AbstractAsyncContextManager[None]]


@asynccontextmanager
async def nothing(_stage: Stage) -> AsyncIterator[None]:
    """Do nothing."""
    yield


@dataclass(frozen=True)
class Fault:
    """A fault, with a sentence for the docs about its effect."""

    name: str
    sentence: str
    on: Context = nothing
    """A context for the games, in which the fault is on. Its end mends everything."""
    prepared: Context = nothing
    """A context for the whole life of the gateway."""
    is_short: bool = True
    """Whether the short form has the fault. It leaves out variants of others."""
    expected: str = "no event"
    """The event at level error by which the gateway's log reports this fault."""


@asynccontextmanager
async def repeated(act: Callable[[], Awaitable[None]], pause: float = 2.0) -> AsyncIterator[None]:
    """Act again and again until the block ends, with pauses of `pause` seconds."""

    async def repeat() -> None:
        await asyncio.sleep(FIRST)
        while True:
            await act()
            await asyncio.sleep(pause)

    async with asyncio.TaskGroup() as group:
        repeating = group.create_task(repeat())
        yield
        repeating.cancel()


def again(act: Callable[[Stage], Awaitable[None]], pause: float = 2.0) -> Context:
    """Return a context in which a misbehaviour comes again and again."""
    return lambda stage: repeated(partial(act, stage), pause)
