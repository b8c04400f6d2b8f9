"""A link that passes the events of a real outbox on to a console of this process."""

import asyncio
import time
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gateway.outbox.link import INTERVAL, MESSAGE_BYTES, Link
from gateway.outbox.outbox import Outbox
from tests.console.test_gateway import status_with
from tests.gateway.outbox.events import SIZE, Console, maker, read_all
from tests.support.event_loop import until
from tests.support.logs import capture_logs
from tests.support.services import free_port

MAKE = maker()

PORT = 8000


def put(outbox: Outbox, count: int) -> None:
    """Put events into the outbox."""
    for _ in range(count):
        outbox.put(MAKE, False)


def link(outbox: Outbox, port: int) -> Link:
    """Return a link to a console on a port."""

    async def status() -> Any:
        return status_with()

    return Link(f"127.0.0.1:{port}", outbox, status)


async def test_events_are_sent_in_batches(tmp_path: Path) -> None:
    """An event is sent after the interval, and a flood is joined to at most one message in each interval."""
    console, port, outbox = Console(), free_port(), Outbox(PORT, tmp_path)
    async with console.served(port), link(outbox, port):
        put(outbox, 1)
        await until(lambda: outbox.acknowledged == 1, 2.0)
        start = time.monotonic()
        for _ in range(300):
            put(outbox, 1)
            await asyncio.sleep(0.002)
        await until(lambda: outbox.acknowledged == 301)
        assert len(console.messages) <= 2 + (time.monotonic() - start) / INTERVAL
        assert console.stored == [*range(1, 302)]
        assert outbox.waiting == 0


async def test_unacknowledged_events_are_sent_again(tmp_path: Path) -> None:
    """A console that comes back gets all events in order, some twice. The log has its loss and return."""
    console, port, outbox = Console(), free_port(), Outbox(PORT, tmp_path)
    with capture_logs() as lines:
        async with link(outbox, port):
            async with console.served(port):
                put(outbox, 10)
                await until(lambda: outbox.acknowledged == 10)
                console.is_silent = True
                put(outbox, 10)
                await until(lambda: len(console.stored) == 20)
            await asyncio.sleep(0.5)
            put(outbox, 10)
            await asyncio.sleep(0.5)
            assert outbox.waiting == 20
            console.is_silent = False
            async with console.served(port):
                await until(lambda: outbox.acknowledged == 30)
    assert console.stored == [*range(1, 21), *range(11, 31)]
    assert [(line["event"], line["log_level"]) for line in lines[:2]] == [
        ("console lost", "warning"),
        ("console back", "info"),
    ]


async def test_the_file_comes_before_memory_after_an_outage(tmp_path: Path) -> None:
    """An outage with a restart and 20 MB of events costs nothing. A message has at most 1 MB."""
    console, port = Console(), free_port()
    for _ in range(2):
        outbox = Outbox(PORT, tmp_path)
        async with link(outbox, port):
            for _ in range(100):
                put(outbox, 100)
                await asyncio.sleep(0.002)
    outbox = Outbox(PORT, tmp_path)
    async with console.served(port), link(outbox, port):
        put(outbox, 100)
        await until(lambda: outbox.acknowledged == 20_100)
        await until(lambda: outbox.waiting == 0)
    assert console.stored == [*range(1, 20_101)] and max(console.messages) <= MESSAGE_BYTES
    assert (tmp_path / f"outbox-{PORT}").stat().st_size == 0


@pytest.mark.parametrize(("claimed", "cancels"), [(5000, 0), (0, 1)])
async def test_an_odd_console_loses_nothing(tmp_path: Path, claimed: int, cancels: int) -> None:
    """A console may know higher numbers of an earlier process, and a cancelled call is replaced."""
    console, port, outbox = Console(), free_port(), Outbox(PORT, tmp_path)
    console.claimed, console.cancels = claimed, cancels
    async with console.served(port), link(outbox, port):
        await until(lambda: console.calls == 1)
        put(outbox, 10)
        await until(lambda: outbox.acknowledged == 10)
    assert console.stored == [*range(1, 11)] and console.calls == 1 + cancels


async def test_the_end_writes_the_rest_to_the_file(tmp_path: Path) -> None:
    """A silent console delays the end by two seconds, and a lost one by nothing."""
    console, port = Console(), free_port()
    console.is_silent = True
    for count, seconds in ((10, 2.0), (20, 0.0)):
        outbox = Outbox(PORT, tmp_path)
        async with AsyncExitStack() as serving:
            await serving.enter_async_context(console.served(port))
            async with link(outbox, port):
                put(outbox, 10)
                await until(partial(console.has, count))
                if not seconds:
                    await serving.aclose()
                    await asyncio.sleep(0.2)
                start = time.monotonic()
            assert seconds <= time.monotonic() - start < seconds + 1.0
        assert (tmp_path / f"outbox-{PORT}").stat().st_size > count * SIZE
        async with Outbox(PORT, tmp_path) as again:
            assert await read_all(again) == [*range(1, count + 1)]
