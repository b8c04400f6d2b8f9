"""Faults of searcher processes."""

import asyncio
import os
import signal
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from benchmarks.chaos.faults.fault import Fault, repeated
from benchmarks.chaos.stage import Searcher, Stage

_BETWEEN_KILLS = 5.0
"""Seconds, longer than a searcher takes to start."""

_STOPPED = 2.0
"""Seconds."""


class _OfSearchers(Fault, ABC):
    """A fault of the first searcher, which is either alone or one of two."""

    def __init__(self, are_two: bool) -> None:
        self.name = f"{self.name}, {'one of two' if are_two else 'the only one'}"
        self._are_two = are_two

    @asynccontextmanager
    async def prepared(self, stage: Stage) -> AsyncIterator[None]:
        """Connect the gateway without the relay."""
        targets = [searcher.target for searcher in stage.searchers[: 1 + self._are_two]]
        stage.target = f"ipv4:{','.join(targets)}"
        yield

    @asynccontextmanager
    async def on(self, stage: Stage) -> AsyncIterator[None]:
        """Harm the first searcher again and again."""
        async with repeated(lambda: self._harm(stage.searchers[0])):
            yield

    @abstractmethod
    async def _harm(self, searcher: Searcher) -> None:
        """Harm a searcher once."""


class Killed(_OfSearchers):
    """A searcher that dies."""

    name = "searcher killed"
    sentence = "Every 7 s a searcher gets SIGKILL and is started again at once."

    async def _harm(self, searcher: Searcher) -> None:
        searcher.kill()
        searcher.start()
        await asyncio.sleep(_BETWEEN_KILLS)


class Stopped(_OfSearchers):
    """A searcher that stands still."""

    name = "searcher stopped"
    sentence = "Every 4 s a searcher gets SIGSTOP, and SIGCONT 2 s later."

    async def _harm(self, searcher: Searcher) -> None:
        searcher.pause()
        try:
            await asyncio.sleep(_STOPPED)
        finally:
            searcher.resume()


class EmbeddedKilled(Fault):
    """The gateway's own searcher dies."""

    name = "embedded searcher killed"
    sentence = "Every 7 s the searcher that the gateway starts itself gets SIGKILL."
    expected = "searcher ended"

    @asynccontextmanager
    async def prepared(self, stage: Stage) -> AsyncIterator[None]:
        """Let the gateway start its own searcher."""
        stage.target = ""
        yield

    @asynccontextmanager
    async def on(self, stage: Stage) -> AsyncIterator[None]:
        """Kill the gateway's children again and again."""

        async def kill() -> None:
            children = Path(f"/proc/{stage.gateway}/task/{stage.gateway}/children")
            for child in children.read_text().split():
                with suppress(ProcessLookupError):
                    os.kill(int(child), signal.SIGKILL)

        async with repeated(kill, pause=_BETWEEN_KILLS + 2.0):
            yield


FAULTS = (Killed(True), Killed(False), Stopped(True), Stopped(False), EmbeddedKilled())
