"""The link between a gateway and a console of this process."""

import asyncio
import threading
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import grpc

from battlesnake_search.common.logs import EventDict
from battlesnake_search.contract import record_pb2
from battlesnake_search.record.status import Status
from gateway.outbox.link import Link, greet
from gateway.outbox.outbox import Outbox
from tests.console.test_gateway import status_with
from tests.gateway.outbox.events import served
from tests.support.event_loop import until
from tests.support.logs import capture_logs
from tests.support.services import free_port


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
