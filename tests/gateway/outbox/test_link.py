"""The link between a gateway and a console of this process."""

import asyncio
import threading
import time
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import partial
from pathlib import Path

import grpc
import pytest

from battlesnake_search.common.logs import EventDict
from battlesnake_search.contract import record_pb2
from battlesnake_search.record.status import Status
from gateway.outbox.link import FLYING_BYTES, INTERVAL, MESSAGE_BYTES, Link, greet
from gateway.outbox.outbox import Outbox
from tests.console.test_gateway import status_with
from tests.gateway.outbox.events import SIZE, Console, maker, read_all, served
from tests.support.event_loop import until
from tests.support.logs import capture_logs
from tests.support.services import free_port

MAKE = maker()

PORT = 8000


class _Service:
    """A console that asks for the state at once and after each request, and stores what it gets."""

    def __init__(self) -> None:
        self.calls = 0
        self.statuses = 0
        self.requests = 0

    async def Record(self, requests, _context):  # type: ignore[no-untyped-def]
        """Take all requests."""
        self.calls += 1
        yield record_pb2.RecordResponse(wants_status=True)
        async for request in requests:
            self.requests += 1
            self.statuses += request.gateway.HasField("status")
            number = max((event.number for event in request.events), default=0)
            yield record_pb2.RecordResponse(acknowledged=number, wants_status=bool(number))


def _served(service: _Service, port: int) -> AbstractAsyncContextManager[None]:
    return served(service.Record, port, record_pb2.RecordRequest.FromString)


def _newest(lines: list[EventDict]) -> str:
    """Return the newest line about the console."""
    return next((line["event"] for line in reversed(lines) if line["event"].startswith("console")), "")


def _event(number: int) -> bytes:
    event = record_pb2.Event(number=number, probed=record_pb2.Probed(game_id="g"))
    return record_pb2.RecordRequest(events=[event]).SerializeToString()


async def _status() -> Status:
    return status_with()


async def test_an_idle_gateway_says_that_the_console_is_back(tmp_path: Path) -> None:
    """Without an event the log has the loss and the return, once each."""
    port = free_port()
    with capture_logs() as lines:
        async with Link(f"127.0.0.1:{port}", Outbox(1, tmp_path), _status):
            service = _Service()
            async with _served(service, port):
                await until(lambda: service.statuses)
            await until(lambda: _newest(lines) == "console lost")
            async with _served(service, port):
                await until(lambda: _newest(lines) == "console back")


async def test_a_state_that_cannot_be_told_costs_no_event(tmp_path: Path) -> None:
    """The error is logged once, with its trace, however often the console asks. The call goes on."""

    async def broken() -> Status:
        raise KeyError("a part is missing")

    port, service = free_port(), _Service()
    outbox = Outbox(1, tmp_path)
    with capture_logs() as lines:
        async with _served(service, port), Link(f"127.0.0.1:{port}", outbox, broken):
            for _ in range(5):
                outbox.put(_event, False)
                await until(lambda: outbox.acknowledged == outbox.last)
    errors = [line for line in lines if line["log_level"] == "error"]
    assert [line["event"] for line in errors] == ["status not told"]
    assert isinstance(errors[0]["exc_info"], KeyError)
    assert service.calls == 1 and service.statuses == 0


async def test_a_gateway_whose_token_is_refused_keeps_its_events(tmp_path: Path) -> None:
    """The log has the refusal once. With a right token, all events are stored."""

    class Refusing(_Service):
        async def Record(self, requests, context):  # type: ignore[no-untyped-def]
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "unknown token")
            yield

    port, outbox = free_port(), Outbox(1, tmp_path)
    with capture_logs() as lines:
        async with Link(f"127.0.0.1:{port}", outbox, _status):
            async with _served(Refusing(), port):
                for _ in range(100):
                    outbox.put(_event, False)
                await until(lambda: any(line["event"] == "console lost" for line in lines))
                await asyncio.sleep(1.0)
                assert outbox.waiting == 100
            async with _served(_Service(), port):
                await until(lambda: outbox.acknowledged == 100)
    told = [line for line in lines if line["event"].startswith("console")]
    assert [line["event"] for line in told[:2]] == ["console lost", "console back"]
    assert told[0]["reason"] == "UNAUTHENTICATED: unknown token"


async def test_a_slow_console_delays_no_event(tmp_path: Path) -> None:
    """A console that takes ten messages a second gets all events, in few messages."""

    class Slow(_Service):
        async def Record(self, requests, context):  # type: ignore[no-untyped-def]
            async for request in requests:
                self.requests += 1
                await asyncio.sleep(0.1)
                number = max((event.number for event in request.events), default=0)
                yield record_pb2.RecordResponse(acknowledged=number)

    port, outbox, service = free_port(), Outbox(1, tmp_path), Slow()
    slowest, now = 0.0, asyncio.get_running_loop().time
    async with _served(service, port), Link(f"127.0.0.1:{port}", outbox, _status):
        for _ in range(300):
            began = now()
            outbox.put(_event, False)
            slowest = max(slowest, now() - began)
            await asyncio.sleep(0.005)
        await until(lambda: outbox.acknowledged == 300)
    assert outbox.dropped == 0 and slowest < 0.05
    print(f"slow: {service.requests} requests, slowest put {slowest * 1000:.2f} ms")


def put(outbox: Outbox, count: int) -> None:
    """Put events into the outbox."""
    for _ in range(count):
        outbox.put(MAKE, False)


def link(outbox: Outbox, port: int) -> Link:
    """Return a link to a console on a port."""
    return Link(f"127.0.0.1:{port}", outbox, _status)


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


async def test_messages_and_flying_bytes_are_bounded(tmp_path: Path) -> None:
    """A console that acknowledges nothing gets 4 MB in a call, in messages of at most 1 MB."""
    console, port, outbox = Console(), free_port(), Outbox(PORT, tmp_path, memory_bytes=16 * 2**20)
    console.is_silent = True
    async with link(outbox, port):
        async with console.served(port):
            put(outbox, 8000)
            await until(lambda: sum(console.messages) > FLYING_BYTES - MESSAGE_BYTES)
            await asyncio.sleep(0.3)
            assert max(console.messages) <= MESSAGE_BYTES and sum(console.messages) <= FLYING_BYTES
        console.is_silent = False
        async with console.served(port):
            await until(lambda: outbox.acknowledged == 8000)
    assert console.stored[console.stored.index(1, 1) :] == [*range(1, 8001)]


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


async def test_a_greeting_tells_why_no_console_answers() -> None:
    """A refused connection is an error of gRPC, at whichever moment it arrives."""
    is_over = threading.Event()

    def compute() -> None:
        while not is_over.is_set():
            pass

    # Busy threads delay the event loop between its calls of gRPC.
    threads = [threading.Thread(target=compute) for _ in range(2)]
    for thread in threads:
        thread.start()
    tasks = []
    for _ in range(4):
        tasks += [asyncio.create_task(greet("127.0.0.1:1", None)) for _ in range(50)]
        await asyncio.wait(tasks)
    is_over.set()
    for thread in threads:
        thread.join()
    assert not any(task.cancelled() for task in tasks)
    assert all(isinstance(task.exception(), grpc.aio.AioRpcError) for task in tasks)
