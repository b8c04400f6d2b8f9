"""The sender with real outboxes and consoles of this process."""

import asyncio
import time
from pathlib import Path

import pytest

from gateway.outbox.outbox import Outbox
from gateway.outbox.sender import FLYING_BYTES, INTERVAL, MESSAGE_BYTES, Sender
from tests.gateway.outbox.events import SIZE, Console, maker, read_all
from tests.support.event_loop import until
from tests.support.logs import capture_logs

MAKE = maker()

PORT = 8000


def put(outbox: Outbox, count: int) -> None:
    """Put events into the outbox."""
    for _ in range(count):
        outbox.put(MAKE, False)


async def test_events_are_sent_in_batches(tmp_path: Path) -> None:
    """An event is sent after the interval, and a flood is joined to at most one message in each interval."""
    console = Console()
    async with Outbox(PORT, tmp_path) as outbox, Sender(outbox, console.connect):
        await asyncio.sleep(0.05)
        put(outbox, 1)
        await until(lambda: outbox.acknowledged == 1, 0.5)
        start = time.monotonic()
        for _ in range(300):
            put(outbox, 1)
            await asyncio.sleep(0.002)
        await until(lambda: outbox.acknowledged == 301)
        assert len(console.messages) <= 2 + (time.monotonic() - start) / INTERVAL
        assert console.stored == [*range(1, 302)]
        assert outbox.waiting == 0


@pytest.mark.parametrize("is_lost", [False, True])
async def test_messages_and_flying_bytes_are_bounded(tmp_path: Path, is_lost: bool) -> None:
    """A console that acknowledges nothing gets 4 MB by a stream, in messages of at most 1 MB."""
    console = Console()
    console.is_silent = True
    async with Outbox(PORT, tmp_path, memory_bytes=16 * 2**20) as outbox:
        put(outbox, 8000)
        sender = Sender(outbox, console.connect)
        async with sender:
            await until(lambda: sum(console.messages) > FLYING_BYTES - MESSAGE_BYTES)
            await asyncio.sleep(0.2)
            assert max(console.messages) <= MESSAGE_BYTES and sum(console.messages) <= FLYING_BYTES
            console.is_silent = False
            if is_lost:
                console.streams[0].acknowledgements.put_nowait(None)
            else:
                console.streams[0].acknowledgements.put_nowait(console.stored[-1])
            await until(lambda: outbox.acknowledged == 8000)
    again = console.stored.index(1, 1) if is_lost else 0
    assert console.stored[again:] == [*range(1, 8001)]


async def test_unacknowledged_events_are_sent_again(tmp_path: Path) -> None:
    """A console that comes back gets all events in order, some twice. The log has its loss and return."""
    console = Console()
    with capture_logs() as lines:
        async with Outbox(PORT, tmp_path) as outbox, Sender(outbox, console.connect):
            put(outbox, 10)
            await until(lambda: outbox.acknowledged == 10)
            console.is_silent = True
            put(outbox, 10)
            await until(lambda: len(console.stored) == 20)
            console.stop()
            await asyncio.sleep(0.5)
            put(outbox, 10)
            await asyncio.sleep(0.5)
            assert outbox.waiting == 20 and console.connections <= 6
            console.is_down = console.is_silent = False
            await until(lambda: outbox.acknowledged == 30)
            assert console.stored == [*range(1, 21), *range(11, 31)]
    assert [(line["event"], line["log_level"]) for line in lines] == [
        ("console lost", "warning"),
        ("console back", "info"),
    ]


async def test_the_file_comes_before_memory_after_an_outage(tmp_path: Path) -> None:
    """An outage with a restart and 20 MB of events costs nothing."""
    console = Console()
    console.is_down = True
    for _ in range(2):
        async with Outbox(PORT, tmp_path) as outbox, Sender(outbox, console.connect):
            for _ in range(100):
                put(outbox, 100)
                await asyncio.sleep(0.002)
    console.is_down = False
    async with Outbox(PORT, tmp_path) as outbox, Sender(outbox, console.connect):
        put(outbox, 100)
        await until(lambda: outbox.acknowledged == 20_100)
        await until(lambda: outbox.waiting == 0)
    assert console.stored == [*range(1, 20_101)]
    assert (tmp_path / f"outbox-{PORT}").stat().st_size == 0


async def test_a_foreign_acknowledgement_forgets_nothing(tmp_path: Path) -> None:
    """A console may know higher numbers of an earlier process. Events that were not sent stay."""
    console = Console()
    async with Outbox(PORT, tmp_path) as outbox, Sender(outbox, console.connect):
        await until(lambda: len(console.streams) == 1)
        # The acknowledgement is read before the events are sent.
        console.streams[0].acknowledgements.put_nowait(5000)
        put(outbox, 10)
        await until(lambda: outbox.acknowledged == 10)
    assert console.stored == [*range(1, 11)]


async def test_the_end_writes_the_rest_to_the_file(tmp_path: Path) -> None:
    """A silent console delays the end by two seconds, and a lost one by nothing."""
    console = Console()
    console.is_silent = True
    for count, seconds in ((10, 2.0), (20, 0.0)):
        async with Outbox(PORT, tmp_path) as outbox:
            async with Sender(outbox, console.connect):
                put(outbox, 10)
                await asyncio.sleep(0.05)
                start = time.monotonic()
            assert seconds <= time.monotonic() - start < seconds + 0.5
            assert (tmp_path / f"outbox-{PORT}").stat().st_size > count * SIZE
            assert await read_all(outbox) == [*range(1, count + 1)]
        console.stop()


async def test_a_cancelled_stream_is_an_end(tmp_path: Path) -> None:
    """A stream that raises CancelledError, as gRPC does for a closed channel, is replaced."""
    console = Console()
    async with Outbox(PORT, tmp_path) as outbox, Sender(outbox, console.connect):
        await until(lambda: len(console.streams) == 1)
        console.streams[0].is_cancelled = True
        put(outbox, 1)
        await until(lambda: outbox.acknowledged == 1)
        assert len(console.streams) == 2
