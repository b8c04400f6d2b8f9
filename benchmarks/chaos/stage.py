"""The stage of games: two searchers and a relay. A fault is a context on a stage."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial

from benchmarks.chaos.relay import Relay
from tests.support.searchers import wait_until_idle
from tests.support.services import ONLY_DEFAULT, ROOT, free_port

FIRST = 1.0
"""Seconds of games before the first misbehaviour."""


class Searcher:
    """A searcher process on its own port. It can be started again after its end."""

    def __init__(self) -> None:
        self.port = free_port()
        self.start()

    @property
    def target(self) -> str:
        """Its address for a gateway."""
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the process, without waiting until it serves."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "searcher", "serve", "--listen", self.target],
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


@dataclass(frozen=True)
class Stage:
    """The parts that faults disturb: the relay before the first searcher, and both searchers."""

    relay: Relay
    searchers: tuple[Searcher, Searcher]


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
    direct: int = 0
    """The number of searchers that the gateway calls directly.

    With 0 it calls the first one through the relay.
    """
    is_short: bool = True
    """Whether the short form has the fault. It leaves out variants of others."""


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
