"""Faults of the network between gateway and searcher."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from benchmarks.chaos.faults.fault import FIRST, Fault, repeated
from benchmarks.chaos.relay import Line
from benchmarks.chaos.stage import Stage

_MEASURING = 2.0
"""Seconds in which a game shows the bandwidth that it needs."""

_CUT = 1.5
"""Seconds."""


class Changed(Fault):
    """A line that is bad all the time."""

    def __init__(self, name: str, sentence: str, line: Line) -> None:
        self.name = name
        self.sentence = sentence
        self._line = line

    @asynccontextmanager
    async def on(self, stage: Stage) -> AsyncIterator[None]:
        """Change the line."""
        stage.relay.line = self._line
        try:
            yield
        finally:
            stage.relay.line = Line()


class HalfBandwidth(Fault):
    """A line that is too narrow."""

    name = "half the bandwidth"
    sentence = f"The line passes half the bytes a second that the first {_MEASURING:.0f} s of games needed."

    @asynccontextmanager
    async def on(self, stage: Stage) -> AsyncIterator[None]:
        """Measure what a game needs, and halve it."""

        async def halve() -> None:
            await asyncio.sleep(FIRST)
            before = stage.relay.received
            await asyncio.sleep(_MEASURING)
            needed = (stage.relay.received - before) / _MEASURING
            stage.relay.line = Line(bytes_per_second=needed / 2)

        async with asyncio.TaskGroup() as group:
            halving = group.create_task(halve())
            yield
            halving.cancel()
            stage.relay.line = Line()


class Cut(Fault):
    """A line that is interrupted."""

    name = "line cut for 1.5 s"
    sentence = "Every 3.5 s no byte passes for 1.5 s. Connections stay, and what was sent arrives afterwards."

    @asynccontextmanager
    async def on(self, stage: Stage) -> AsyncIterator[None]:
        """Cut the line again and again."""

        async def cut() -> None:
            stage.relay.line = replace(stage.relay.line, is_cut=True)
            try:
                await asyncio.sleep(_CUT)
            finally:
                stage.relay.line = Line()

        async with repeated(cut):
            yield


class Buried(Fault):
    """A connection that is dead while both sides believe in it."""

    name = "connection dead"
    sentence = (
        "Data on the open connection vanishes from then on, without an error, as when a router has "
        "forgotten it. New connections work."
    )

    @asynccontextmanager
    async def on(self, stage: Stage) -> AsyncIterator[None]:
        """Bury the connections that are open."""

        async def bury() -> None:
            stage.relay.bury()

        async with repeated(bury, pause=3600.0):
            yield


class Resets(Fault):
    """Connections that are reset."""

    name = "resets"
    sentence = "Every 2 s all connections end with RST."

    @asynccontextmanager
    async def on(self, stage: Stage) -> AsyncIterator[None]:
        """Reset the connections again and again."""

        async def reset() -> None:
            stage.relay.reset()

        async with repeated(reset):
            yield


FAULTS = (
    Changed("delay of 100 ms", "Every byte arrives 100 ms later, in each direction.", Line(delay=0.1)),
    Changed("delay of 600 ms", "Every byte arrives 600 ms later: after the timeout.", Line(delay=0.6)),
    Changed(
        "bursts of up to 300 ms",
        "Pieces of data are held for up to 300 ms, and what follows arrives with them.",
        Line(jitter=0.3),
    ),
    HalfBandwidth(),
    Cut(),
    Buried(),
    Resets(),
)
