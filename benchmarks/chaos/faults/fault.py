"""What all faults have in common."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from benchmarks.chaos.stage import Stage

FIRST = 1.0
"""Seconds of games before the first misbehaviour."""


class NotHereError(RuntimeError):
    """The fault is impossible on this machine; the message says what it needs."""


class Fault:
    """A fault. This one does nothing: its games are what the others are compared with."""

    name = "none"
    sentence = "No fault: the other rows are compared with this one."
    """What the fault does, for the docs."""
    is_short = True
    """Whether the short form has the fault. It leaves out what needs more than the project, or is another's
    variant."""
    expected = "no event"
    """The event at level error by which the gateway's log reports this fault."""

    def prepared(self, stage: Stage) -> AbstractAsyncContextManager[None]:
        """Return a context for the whole life of the gateway. Raise NotHereError if something is missing."""
        return _nothing(stage)

    def on(self, stage: Stage) -> AbstractAsyncContextManager[None]:
        """Return a context for the games, in which the fault is on. Its end mends everything."""
        return _nothing(stage)


@asynccontextmanager
async def _nothing(_stage: Stage) -> AsyncIterator[None]:
    yield


@asynccontextmanager
async def repeated(act: Callable[[], Awaitable[None]], pause: float = 2.0) -> AsyncIterator[None]:
    """Act again and again until the block ends, with pauses of so many seconds."""

    async def repeat() -> None:
        await asyncio.sleep(FIRST)
        while True:
            await act()
            await asyncio.sleep(pause)

    async with asyncio.TaskGroup() as group:
        repeating = group.create_task(repeat())
        yield
        repeating.cancel()
