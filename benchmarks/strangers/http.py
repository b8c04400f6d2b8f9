"""Requests over plain connections, from bytes that are made beforehand."""

import asyncio
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import cast

from benchmarks.strangers.plan import Plan, Report

HOST = "127.0.0.1"

_PAUSE = 0.05
"""Seconds before a closed connection is opened again."""


def post(path: str, body: bytes, *headers: str) -> bytes:
    """Return a POST request."""
    lines = (f"POST {path} HTTP/1.1", "Host: a", f"Content-Length: {len(body)}", *headers)
    return "\r\n".join((*lines, "", "")).encode() + body


class _Client(asyncio.Protocol):
    """A connection that sends one request after another."""

    def __init__(self, requests: Iterator[bytes], report: Report) -> None:
        self._requests = requests
        self._report = report
        self._waits = False
        """Whether a request has no answer yet."""
        self._received = b""
        self.ended: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        """Whether all requests have been sent, once the connection has ended."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the first request."""
        # uvloop's transports have the methods but another base class.
        self._transport = cast(asyncio.WriteTransport, transport)
        self._send()

    def _send(self) -> None:
        request = next(self._requests, None)
        self._waits = request is not None
        if request is None:
            self._transport.close()
        else:
            self._report.sent += 1
            self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        """Count the answer once it is complete, and send the next request."""
        self._received += data
        head, _, body = self._received.partition(b"\r\n\r\n")
        _, _, length = head.lower().partition(b"content-length:")
        if len(head) == len(self._received) or len(body) < int(length.split(b"\r\n", 1)[0] or 0):
            return
        self._report.count(self._received[9:12].decode(errors="replace"))
        self._received, self._waits = b"", False
        if not self._transport.is_closing():
            self._send()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count a request without an answer."""
        if self._waits:
            self._report.count("closed")
        if not self.ended.done():
            self.ended.set_result(not self._waits)


async def flood(plan: Plan, report: Report, requests: Iterable[bytes], connections: int = 1) -> None:
    """Send requests to the gateway over some connections, until their number reaches the plan's."""
    left = takewhile(lambda _: report.sent < plan.requests, requests)

    async def work() -> None:
        loop = asyncio.get_running_loop()
        while report.sent < plan.requests:
            try:
                _, client = await loop.create_connection(lambda: _Client(left, report), HOST, plan.http)
                if await client.ended:
                    return
            except OSError as error:
                report.count(type(error).__name__)
            await asyncio.sleep(_PAUSE)

    await asyncio.gather(*(work() for _ in range(connections)))
