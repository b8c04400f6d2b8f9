"""A port of another program than the searcher, with bounds of its own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from prometheus_client import CollectorRegistry

from battlesnake_search.common.metrics import EventLoopMetrics
from battlesnake_search.serving import interceptor
from battlesnake_search.serving.metrics_port import MetricsPorts, PortMetrics
from battlesnake_search.serving.port import OPEN_PORT, Port, PortSettings
from battlesnake_search.serving.program import MessageBounds, Program
from tests.battlesnake_search.serving.guarded import (
    OK,
    PATIENCE,
    Tokens,
    bearing,
    call_with_message,
    code_of,
    raw_call,
)

COUNTED, SILENT, LARGE = (f"test.Service/{name}" for name in ("Counted", "Silent", "Large"))

CONSOLE = Program(
    "console",
    "record",
    MessageBounds(10, 100, patience=0.3),
    {
        SILENT: MessageBounds(10, 100, patience=None, are_calls=False),
        LARGE: MessageBounds(1000, 100, patience=0.3),
    },
)

EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED


async def echo(messages: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
    """Answer each message with itself."""
    async for message in messages:
        yield message


async def answer(message: bytes, context: Any) -> bytes:
    """Answer the message with itself."""
    return message


@asynccontextmanager
async def console(settings: PortSettings = OPEN_PORT) -> AsyncIterator[grpc.aio.Channel]:
    """Run a port of a console; yield a channel to it."""
    registry = CollectorRegistry()
    ports = MetricsPorts(registry, EventLoopMetrics("console", registry))
    port = Port("127.0.0.1:0", settings, CONSOLE, PortMetrics("console", registry), ports)
    stream: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(echo)
    unary: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(answer)
    handlers = {"Counted": stream, "Silent": stream, "Large": unary}
    port.server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("test.Service", handlers),))
    address = await port.start()
    async with grpc.aio.insecure_channel(address) as channel:
        yield channel
    await port.stop(0.0)


async def test_a_stream_without_patience_may_be_silent(logs: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps no other call from reading its message."""
    monkeypatch.setattr(interceptor, "MOST_READERS", 1)
    async with console() as channel:
        silent, counted = raw_call(channel, SILENT)(), raw_call(channel, COUNTED)()
        assert await asyncio.wait_for(counted.code(), PATIENCE) == grpc.StatusCode.DEADLINE_EXCEEDED
        assert await code_of(call_with_message(channel, LARGE)(b"x")) == OK
        await silent.write(b"late")
        assert await asyncio.wait_for(silent.read(), PATIENCE) == b"late"
        silent.cancel()


@pytest.mark.parametrize(("method", "code"), [(COUNTED, EXHAUSTED), (SILENT, OK)])
async def test_messages_count_as_calls_unless_their_bounds_say_no(
    logs: None, tmp_path: Path, method: str, code: grpc.StatusCode
) -> None:
    """The call itself counts in any case."""
    tokens = Tokens(tmp_path / "tokens.toml")
    metadata = bearing(tokens.put("gateway", "calls_per_second = 0.001"))
    async with console(PortSettings(tokens=tokens.path)) as channel:
        stream = raw_call(channel, method)(metadata=metadata)
        await stream.write(b"x")
        assert await stream.read() == b"x"
        await stream.write(b"x")
        if code == OK:
            assert await stream.read() == b"x"
            await stream.done_writing()
        assert await asyncio.wait_for(stream.code(), PATIENCE) == code
        assert await code_of(call_with_message(channel, method)(b"x", metadata=metadata)) == EXHAUSTED
