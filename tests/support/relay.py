"""A TCP relay on loopback that counts the bytes it receives."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class Relay:
    """A relay from TCP connections to a Unix socket; `sent` counts the bytes that the clients sent."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.sent = 0

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relay a connection until either side closes it."""
        with suppress(OSError):
            from_target, to_target = await asyncio.open_unix_connection(self._path)
            pipes = (self._pipe(reader, to_target, 1), self._pipe(from_target, writer, 0))
            await asyncio.wait([asyncio.create_task(pipe) for pipe in pipes], return_when="FIRST_COMPLETED")
            to_target.close()
        writer.close()

    async def _pipe(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, counts: int) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                self.sent += counts * len(data)
                writer.write(data)


@asynccontextmanager
async def relay(host: str, port: int, path: str) -> AsyncIterator[Relay]:
    """Listen on the address until the block ends."""
    relay = Relay(path)
    server = await asyncio.start_server(relay.connected, host, port)
    try:
        yield relay
    finally:
        server.close()
