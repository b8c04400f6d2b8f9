"""Events whose numbers can be read, and a console that stores them."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import grpc

from battlesnake_search.contract.record_pb2 import RecordResponse
from console.record_service import SERVICE
from gateway.outbox.outbox import Outbox
from gateway.outbox.spool import Event
from tests.support import grpc_server

SIZE = 1024
"""The bytes of an event."""


def maker(size: int = SIZE) -> Callable[[int], bytes]:
    """Return a function that encodes an event: its number in ten digits, and then filling to a size."""
    filling = b"." * (size - 10)
    return lambda number: b"%010d" % number + filling


def event(number: int, is_kept: bool = False, size: int = SIZE) -> Event:
    """Return an event."""
    return Event(number, maker(size)(number), is_kept)


def numbers(data: bytes, size: int = SIZE) -> list[int]:
    """Return the numbers of joined events of a size."""
    assert len(data) % size == 0
    return [int(data[start : start + 10]) for start in range(0, len(data), size)]


async def read_all(outbox: Outbox, size: int = SIZE) -> list[int]:
    """Return the numbers of all waiting events, read in messages of 64 KB."""
    found: list[int] = []
    after = outbox.acknowledged
    while True:
        data, after = await outbox.read(after, 64 * 1024)
        if not data:
            return found
        found += numbers(data, size)
        assert found[-1] == after


class Console:
    """A console that stores the numbers of the events that it gets, with the faults that a test wants."""

    def __init__(self) -> None:
        self.stored: list[int] = []
        self.messages: list[int] = []
        """The bytes of each message."""
        self.calls = 0
        self.is_silent = False
        """Whether it stores events without acknowledging them."""
        self.cancels = 0
        """The number of calls to end by gRPC's status CANCELLED."""
        self.claimed = 0
        """The number that it acknowledges at first."""

    async def record(self, requests: AsyncIterator[bytes], context: Any) -> AsyncIterator[RecordResponse]:
        """Take all requests. The first one is the gateway's id."""
        self.calls += 1
        if self.calls <= self.cancels:
            await context.abort(grpc.StatusCode.CANCELLED, "not now")
        yield RecordResponse(acknowledged=self.claimed)
        await anext(requests)
        async for message in requests:
            self.messages.append(len(message))
            self.stored += numbers(message)
            if not self.is_silent:
                yield RecordResponse(acknowledged=self.stored[-1])

    def has(self, number: int) -> bool:
        """Return whether the newest event has this number."""
        return self.stored[-1:] == [number]

    def served(self, port: int) -> AbstractAsyncContextManager[None]:
        """Serve this console until the block ends."""
        return served(self.record, port)


@asynccontextmanager
async def served(
    record: Any, port: int, deserializer: Callable[[bytes], Any] | None = None
) -> AsyncIterator[None]:
    """Serve a method `Record` until the block ends."""
    handler: grpc.RpcMethodHandler[Any, RecordResponse] = grpc.stream_stream_rpc_method_handler(
        record, deserializer, RecordResponse.SerializeToString
    )
    server = grpc_server.server()
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {"Record": handler}),))
    server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    try:
        yield
    finally:
        await server.stop(None)
