"""A TCP relay on loopback that knows how much it was sent."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class Relay:
    """Hands connections on to a Unix socket; `sent` counts the bytes from those who connect."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.sent = 0

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relays a connection to its end, which either side may make."""
        with suppress(OSError):
            from_there, to_there = await asyncio.open_unix_connection(self._path)
            ways = (self._way(reader, to_there, 1), self._way(from_there, writer, 0))
            await asyncio.wait([asyncio.create_task(way) for way in ways], return_when="FIRST_COMPLETED")
            to_there.close()
        writer.close()

    async def _way(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, counts: int) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                self.sent += counts * len(data)
                writer.write(data)


@asynccontextmanager
async def relay(host: str, port: int, path: str) -> AsyncIterator[Relay]:
    """Listens there until the block ends."""
    relay = Relay(path)
    server = await asyncio.start_server(relay.connected, host, port)
    try:
        yield relay
    finally:
        server.close()
