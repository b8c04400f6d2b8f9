"""The relay that misbehaves as networks do."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

import pytest

from benchmarks.chaos.relay import Line, Relay, relay

SOON = 5.0
"""Seconds that nothing here takes on a busy machine."""

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def echo(line: Line = Line()) -> AsyncIterator[tuple[Relay, Streams, int]]:  # noqa: B008
    """Yield a relay before a server that sends back what it receives, a connection to it, and its port."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server, relay(server.sockets[0].getsockname()[1]) as (between, port):
        streams = await asyncio.open_connection("127.0.0.1", port)
        between.line = line
        yield between, streams, port
        streams[1].close()


async def seconds_of_a_round(streams: Streams, data: bytes) -> float:
    """Send data, and return the seconds until all of it has come back."""
    start = monotonic()
    streams[1].write(data)
    assert await asyncio.wait_for(streams[0].readexactly(len(data)), SOON) == data
    return monotonic() - start


async def test_a_cut_line_keeps_connections() -> None:
    """Nothing passes while the line is cut; afterwards what was sent arrives."""
    async with echo(Line(is_cut=True)) as (between, (reader, writer), _):
        writer.write(b"hello")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.read(5), 0.2)
        between.line = Line()
        assert await asyncio.wait_for(reader.readexactly(5), SOON) == b"hello"


async def test_a_reset_ends_connections_and_allows_new_ones() -> None:
    """A reset is an error of the connection, and only of those there are."""
    async with echo() as (between, streams, port):
        await seconds_of_a_round(streams, b"hello")
        between.reset()
        with pytest.raises(ConnectionResetError):
            await asyncio.wait_for(streams[0].read(5), SOON)
        other = await asyncio.open_connection("127.0.0.1", port)
        await seconds_of_a_round(other, b"hello")
        other[1].close()


async def test_a_buried_connection_is_silent() -> None:
    """Bytes sent on it vanish without an error, while new connections work."""
    async with echo() as (between, streams, port):
        await seconds_of_a_round(streams, b"hello")
        between.bury()
        streams[1].write(b"hello")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(streams[0].read(5), 0.2)
        other = await asyncio.open_connection("127.0.0.1", port)
        await seconds_of_a_round(other, b"hello")
        other[1].close()
