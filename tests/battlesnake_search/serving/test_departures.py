"""Calls that end while their answer is being sent."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from battlesnake_search.common.sparse import sparse_libraries
from searcher.serving.metrics import Metrics
from tests.battlesnake_search.serving.guarded import port_of

DEADLINE = 0.2
"""Seconds."""

PATIENCE = 60.0
"""Seconds: nearly all of these calls end while their answer is sent."""

GRPC = logging.getLogger("grpc._cython.cygrpc")

LONG = b"x" * 2**24
"""More than gRPC sends before the reader takes some of it."""


async def long_answers(message: bytes, context: Any) -> AsyncIterator[bytes]:
    """Answer until the caller has left."""
    while True:
        yield LONG


@pytest.fixture(autouse=True)
def no_other_filters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the filters of other ports in this process: the first filter of all counts a record."""
    monkeypatch.setattr(GRPC, "filters", [])


async def test_answers_to_calls_that_ended_are_counted(logs: None, caplog: pytest.LogCaptureFixture) -> None:
    """A caller that has left is no error of the searcher's, and leaves no stack trace in its log."""
    metrics = Metrics()
    port = port_of(metrics)
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_stream_rpc_method_handler(long_answers)
    port.server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("test.Service", {"Long": handler}),)
    )
    target = await port.start()
    try:
        async with asyncio.timeout(PATIENCE), grpc.aio.insecure_channel(target) as channel:
            stub: grpc.aio.UnaryStreamMultiCallable[bytes, bytes] = channel.unary_stream("/test.Service/Long")
            while not metrics.registry.get_sample_value("searcher_answers_unsent_total"):
                await stub(b"", timeout=DEADLINE).code()
    finally:
        await port.stop(0.0)
    assert caplog.records == []


def test_faults_of_the_server_stay_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """Only what could not be sent is left out, and that only while a port listens."""
    count: list[int] = []
    with sparse_libraries(lambda: count.append(1)):
        GRPC.error("unsent", exc_info=unsent())
        GRPC.error("a fault", exc_info=grpc.aio.InternalError("another"))
    GRPC.error("later", exc_info=unsent())
    assert caplog.messages == ["a fault", "later"]
    assert len(count) == 1


def unsent() -> grpc.aio.InternalError:
    """Return gRPC's error for an answer that it could not send."""
    return grpc.aio.InternalError('Failed "execute_batch": (GRPC_CALL_ERROR)')
