"""Requests over plain connections, from bytes that are made beforehand."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, takewhile
from time import monotonic
from typing import cast

from benchmarks.strangers.plan import Plan, Report

HOST = "127.0.0.1"

_OPENED_AT_ONCE = 100

_PAUSE = 0.05
"""Seconds before a closed connection is opened again."""

ARRIVE_AFTER = 2.0
"""Seconds between two newcomers."""

_ALIVE = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"

_BYTE_AFTER = 0.5
"""Seconds between two bytes of a slow sender."""


def post(path: str, body: bytes, *headers: str) -> bytes:
    """Return a POST request."""
    lines = (f"POST {path} HTTP/1.1", "Host: a", f"Content-Length: {len(body)}", *headers)
    return "\r\n".join((*lines, "", "")).encode() + body


class _Client(asyncio.Protocol):
    """A connection that sends one request after another, or `pipelined` of them before their answers."""

    def __init__(self, requests: Iterator[bytes], report: Report, pipelined: int) -> None:
        self._requests = requests
        self._report = report
        self._pipelined = pipelined
        self._open = 0
        self._received = b""
        self.ended: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        """Whether all requests have been sent, once the connection has ended."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the first requests."""
        # uvloop's transports have the methods but another base class.
        self._transport = cast(asyncio.WriteTransport, transport)
        self._send(self._pipelined)

    def _send(self, number: int) -> None:
        requests = list(islice(self._requests, number))
        self._open += len(requests)
        self._report.sent += len(requests)
        if requests:
            self._transport.writelines(requests)
        if not self._open:
            self._transport.close()

    def data_received(self, data: bytes) -> None:
        """Count the answers, and send further requests."""
        data, answered = self._received + data, 0
        while (end := data.find(b"\r\n\r\n")) >= 0:
            head = data[:end].lower()
            _, _, length = head.partition(b"content-length:")
            total = end + 4 + int(length.split(b"\r\n", 1)[0] or 0)
            if len(data) < total:
                break
            self._report.count(data[9:12].decode(errors="replace"))
            data, answered = data[total:], answered + 1
        self._received = data
        self._open -= answered
        if answered and not self._transport.is_closing():
            self._send(answered)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the requests without an answer."""
        if self._open > 0:
            self._report.count("closed")
        if not self.ended.done():
            self.ended.set_result(self._open <= 0)


async def flood(
    plan: Plan, report: Report, requests: Iterable[bytes], connections: int = 1, pipelined: int = 1
) -> None:
    """Send requests to the gateway over some connections, until their number reaches the plan's."""
    left = takewhile(lambda _: report.sent < plan.requests, requests)

    async def work() -> None:
        loop = asyncio.get_running_loop()
        while report.sent < plan.requests:
            try:
                _, client = await loop.create_connection(
                    lambda: _Client(left, report, pipelined), HOST, plan.http
                )
                if await client.ended:
                    return
            except OSError as error:
                report.count(type(error).__name__)
            await asyncio.sleep(_PAUSE)

    await asyncio.gather(*(work() for _ in range(connections)))


async def hold(report: Report, connections: Sequence[tuple[int, bytes, bool]]) -> None:
    """Keep connections open, and open ended ones again. Each sends data at once, or a byte at a time."""
    gate = asyncio.Semaphore(_OPENED_AT_ONCE)

    async def keep(port: int, data: bytes, is_slow: bool) -> None:
        while True:
            await _hold_one(report, gate, port, data, is_slow)
            await asyncio.sleep(_PAUSE)

    await asyncio.gather(*(keep(*connection) for connection in connections))


async def _hold_one(report: Report, gate: asyncio.Semaphore, port: int, data: bytes, is_slow: bool) -> None:
    try:
        async with gate:
            reader, writer = await asyncio.open_connection(HOST, port)
    except OSError as error:
        report.count(type(error).__name__)
        await asyncio.sleep(1.0)
        return
    report.sent += 1
    begun = monotonic()
    sending = asyncio.create_task(_send(writer, data, 1 if is_slow else len(data) or 1))
    try:
        # The connection must end, with or without an answer.
        with suppress(OSError):
            while await reader.read(65536):
                pass
        report.count("closed")
    finally:
        report.held = max(report.held, monotonic() - begun)
        sending.cancel()
        writer.close()


async def stay(plan: Plan, report: Report, address: str, number: int) -> None:
    """Open connections from an address of this machine, send a request on each, and keep them open idle."""
    gate = asyncio.Semaphore(_OPENED_AT_ONCE)

    async def keep() -> None:
        while True:
            with suppress(OSError):
                async with gate:
                    reader, writer = await asyncio.open_connection(HOST, plan.http, local_addr=(address, 0))
                try:
                    report.sent += 1
                    report.count(await _answer(reader, writer))
                    await reader.read()
                finally:
                    writer.close()
            await asyncio.sleep(1.0)

    await asyncio.gather(*(keep() for _ in range(number)))


async def arrive(plan: Plan, report: Report) -> None:
    """Again and again, send a request on a new connection, as the engine of another game does."""
    while True:
        await asyncio.sleep(min(ARRIVE_AFTER, plan.seconds / 2))
        answer = "closed"
        with suppress(OSError):
            reader, writer = await asyncio.open_connection(HOST, plan.http)
            try:
                answer = await _answer(reader, writer)
            finally:
                writer.close()
        report.count(f"newcomer {answer}")


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
    """Return the status of an answer, or "closed". Raises OSError if the connection breaks."""
    writer.write(_ALIVE)
    head = await reader.read(65536)
    return head[9:12].decode() or "closed"


async def _send(writer: asyncio.StreamWriter, data: bytes, size: int) -> None:
    with suppress(OSError):
        for start in range(0, len(data), size):
            writer.write(data[start : start + size])
            await writer.drain()
            await asyncio.sleep(_BYTE_AFTER)
