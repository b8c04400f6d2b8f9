"""Requests from bytes that are made beforehand."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count

from benchmarks.strangers.http import arrive, flood, post, stay
from benchmarks.strangers.plan import Plan, Report

ANSWER = b"HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\nno\n"

SOON = 10.0

ENDING = 0.5
"""Seconds in which the server notices that its callers have left."""


@asynccontextmanager
async def server(closes_after: int = 1000) -> AsyncIterator[tuple[int, list[bytes]]]:
    """Yield the port of a server that closes a connection after some answers, and the bodies it has got."""
    bodies: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError):
            for _ in range(closes_after):
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
    """Several connections send several requests before their answers, and no more than the plan has."""
    async with server() as (port, bodies), asyncio.timeout(SOON):
        report = Report()
        requests = (post("/move", b"%d" % number) for number in count())
        await flood(Plan("", SOON, 40, port), report, requests, connections=4, pipelined=5)
    assert report.answers == {"404": report.sent}
    assert sorted(map(int, bodies)) == list(range(report.sent))
    assert 40 <= report.sent < 60


async def test_newcomers_beside_idle_connections_are_counted() -> None:
    """A connection has one request and stays; the answers of newcomers are told from the stranger's."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        if writer.get_extra_info("peername")[0] == "127.0.0.2":
            writer.write(ANSWER)
            await reader.read()
        writer.close()

    report = Report()
    async with await asyncio.start_server(serve, "127.0.0.1", 0) as listening:
        plan = Plan("", 1.0, 1, listening.sockets[0].getsockname()[1])
        with suppress(TimeoutError):
            async with asyncio.timeout(2.0):
                await asyncio.gather(stay(plan, report, "127.0.0.2", 5), arrive(plan, report))
        await asyncio.sleep(ENDING)
    assert report.answers["404"] == report.sent == 5
    assert report.answers["newcomer closed"] >= 1
