"""Requests from bytes that are made beforehand."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count

from benchmarks.strangers.http import flood, post
from benchmarks.strangers.plan import Plan, Report

ANSWER = b"HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\nno\n"

SOON = 10.0

ENDING = 0.5
"""Seconds in which the server notices that its callers have left."""


@asynccontextmanager
async def server() -> AsyncIterator[tuple[int, list[bytes]]]:
    """Yield the port of a server, and the bodies that it has got."""
    bodies: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                bodies.append(
                    await reader.readexactly(int(head.partition(b"Content-Length: ")[2].split()[0]))
                )
                # An answer may arrive in two pieces.
                writer.write(ANSWER[:30])
                await asyncio.sleep(0)
                writer.write(ANSWER[30:])
        writer.close()

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with listening:
        yield listening.sockets[0].getsockname()[1], bodies
        await asyncio.sleep(ENDING)


async def test_all_requests_are_answered_and_counted() -> None:
    """Several connections send one request after another, and no more than the plan has."""
    async with server() as (port, bodies), asyncio.timeout(SOON):
        report = Report()
        requests = (post("/move", b"%d" % number) for number in count())
        await flood(Plan("", SOON, 40, port), report, requests, connections=4)
    assert report.answers == {"404": report.sent}
    assert sorted(map(int, bodies)) == list(range(report.sent))
    assert 40 <= report.sent < 44
