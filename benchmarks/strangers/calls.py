"""Calls over gRPC, from bytes that are made beforehand, and bare connections of HTTP/2."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from typing import Any

import grpc.aio

from benchmarks.strangers.http import HOST
from benchmarks.strangers.plan import Plan, Report

_TIMEOUT = 10.0
"""Seconds that a call may take."""

_PAUSE = 0.05
"""Seconds before the next call after a refused one, so that this process leaves its core to the services."""

_ARRIVE_AFTER = 2.0
"""Seconds between two newcomers."""

_LEFT = "Internal error from Core"
"""The details of a status of gRPC's client: a call was refused while the client was sending."""

_OWN_CONNECTION = [("grpc.use_local_subchannel_pool", 1)]
"""The option of a channel without which channels to the same address share a connection."""

_HEALTH = "/grpc.health.v1.Health/Check"
"""A method with one response, which a client may read as a stream."""

_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_SETTINGS, _PING = 4, 6
_ACKNOWLEDGED = 1
_HEAD = 9
"""The bytes of the head of a frame."""


async def call(
    plan: Plan, report: Report, method: str, messages: Iterator[bytes], token: str, at_once: int
) -> None:
    """Make some calls at once, one after another, until their number reaches the plan's."""
    metadata = [("authorization", f"Bearer {token}")]
    options = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]

    async def work(channel: grpc.aio.Channel) -> None:
        while report.sent < plan.requests:
            report.sent += 1
            status = await _status(channel.unary_stream(method), next(messages), metadata)
            report.count(status)
            if status != "OK":
                await asyncio.sleep(_PAUSE)

    async with grpc.aio.insecure_channel(f"{HOST}:{plan.grpc}", options=options) as channel:
        await asyncio.gather(*(work(channel) for _ in range(at_once)))


async def _status(method: Any, message: bytes, metadata: list[tuple[str, str]]) -> str:
    """Return the status of a call whose responses are read."""
    try:
        async for _ in method(message, timeout=_TIMEOUT, metadata=metadata):
            pass
    except grpc.aio.AioRpcError as error:
        return error.code().name
    return "OK"


async def stream(
    plan: Plan, report: Report, method: str, message: bytes, token: str, streams: int, channels: int
) -> None:
    """Keep streams open over some channels: each sends a message, and nothing more. Open ended ones again."""
    metadata = (("authorization", f"Bearer {token}"),)

    async def messages() -> AsyncIterator[bytes]:
        yield message
        await asyncio.sleep(plan.seconds)

    async def keep(channel: Any) -> None:
        while True:
            report.sent += 1
            try:
                async for _ in channel.stream_stream(method)(messages(), metadata=metadata):
                    report.count("answer")
            except grpc.aio.AioRpcError as error:
                is_ours = error.details() == _LEFT
                report.count("refused" if is_ours else error.code().name)
            await asyncio.sleep(1.0)

    async def keep_some() -> None:
        async with grpc.aio.insecure_channel(f"{HOST}:{plan.grpc}", options=_OWN_CONNECTION) as channel:
            await asyncio.gather(*(keep(channel) for _ in range(streams // channels)))

    await asyncio.gather(*(keep_some() for _ in range(channels)))


async def idle_connections(plan: Plan, report: Report, number: int) -> None:
    """Keep connections open that do all that HTTP/2 demands, and make no call."""

    async def keep() -> None:
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await asyncio.open_connection(HOST, plan.grpc)
                report.sent += 1
                try:
                    writer.write(_PREFACE + _frame(_SETTINGS))
                    await _acknowledge(reader, writer.write)
                finally:
                    writer.close()
            report.count("closed")
            await asyncio.sleep(1.0)

    await asyncio.gather(*(keep() for _ in range(number)))


async def arrive(plan: Plan, report: Report) -> None:
    """Again and again, ask for the health on a new connection, as a gateway that has just started does."""
    metadata = [("authorization", f"Bearer {plan.unlimited}")]
    while True:
        await asyncio.sleep(min(_ARRIVE_AFTER, plan.seconds / 2))
        async with grpc.aio.insecure_channel(f"{HOST}:{plan.grpc}", options=_OWN_CONNECTION) as channel:
            status = await _status(channel.unary_stream(_HEALTH), b"", metadata)
            report.count(f"newcomer {status}")


async def _acknowledge(reader: asyncio.StreamReader, write: Callable[[bytes], None]) -> None:
    """Acknowledge settings and pings until the connection ends. Raises IncompleteReadError then."""
    while True:
        head = await reader.readexactly(_HEAD)
        payload = await reader.readexactly(int.from_bytes(head[:3]))
        kind, flags = head[3], head[4]
        if kind == _SETTINGS and not flags & _ACKNOWLEDGED:
            write(_frame(_SETTINGS, _ACKNOWLEDGED))
        elif kind == _PING and not flags & _ACKNOWLEDGED:
            write(_frame(_PING, _ACKNOWLEDGED, payload))


def _frame(kind: int, flags: int = 0, payload: bytes = b"") -> bytes:
    """Return a frame of the connection itself."""
    return len(payload).to_bytes(3) + bytes((kind, flags)) + bytes(4) + payload
