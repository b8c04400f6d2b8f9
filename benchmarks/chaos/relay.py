"""A TCP relay that misbehaves as networks do."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from random import Random

_RESET = struct.pack("ii", 1, 0)
"""SO_LINGER with a time of 0: closing sends RST."""

_PIECE = 4096
"""The most bytes that are passed on at once."""

_QUEUE = 64
"""Pieces on their way in one direction. A sender of more has to wait, as TCP makes it wait."""


@dataclass(frozen=True, slots=True)
class Line:
    """The state of the line. Times are in seconds, one way."""

    delay: float = 0.0
    jitter: float = 0.0
    """The longest further delay of a piece of data. Later pieces wait for it."""
    is_cut: bool = False
    """Whether no data passes. Connections stay, and the data arrives when the line is mended."""


@dataclass(eq=False, slots=True)
class _Connection:
    """The two sides of a relayed connection."""

    client: asyncio.StreamWriter
    target: asyncio.StreamWriter
    is_dead: bool = False
    """Whether all data vanishes, while the connection seems open to both sides."""


class Relay:
    """The connections between a port and its target. `line` is their present state."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._rng = Random(1)
        self._connections: set[_Connection] = set()
        self._mended = asyncio.Event()
        self.line = Line()

    @property
    def line(self) -> Line:
        """The state of the line, which may be changed at any time."""
        return self._line

    @line.setter
    def line(self, line: Line) -> None:
        self._line = line
        self._mended.clear() if line.is_cut else self._mended.set()

    def reset(self) -> None:
        """End all connections with RST."""
        for connection in self._connections:
            for writer in (connection.client, connection.target):
                with suppress(OSError):
                    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                writer.transport.abort()

    def bury(self) -> None:
        """Let all data on the open connections vanish. New connections work."""
        for connection in self._connections:
            connection.is_dead = True

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relay a connection until either side ends it."""
        with suppress(OSError):
            from_target, to_target = await asyncio.open_connection("127.0.0.1", self._target)
            connection = _Connection(writer, to_target)
            self._connections.add(connection)
            pipes = [
                asyncio.create_task(self._pipe(connection, reader, to_target)),
                asyncio.create_task(self._pipe(connection, from_target, writer)),
            ]
            try:
                await asyncio.wait(pipes, return_when=asyncio.FIRST_COMPLETED)
            finally:
                self._connections.discard(connection)
                for pipe in pipes:
                    pipe.cancel()
                await asyncio.wait(pipes)
                to_target.close()
        writer.close()

    async def _pipe(
        self, connection: _Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Pass data on in one direction until its sender ends."""
        pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(_QUEUE)
        sending = asyncio.create_task(self._send(connection, pieces, writer))
        try:
            await self._receive(reader, pieces)
            await sending
        finally:
            sending.cancel()

    async def _receive(
        self, reader: asyncio.StreamReader, pieces: "asyncio.Queue[tuple[float, bytes]]"
    ) -> None:
        """Queue each piece with the time at which it is due; the last one is empty."""
        now = asyncio.get_running_loop().time
        data = b"more"
        while data:
            try:
                data = await reader.read(_PIECE)
            except OSError:
                data = b""
            delay = self._line.delay + self._rng.uniform(0, self._line.jitter)
            await pieces.put((now() + delay, data))

    async def _send(
        self,
        connection: _Connection,
        pieces: "asyncio.Queue[tuple[float, bytes]]",
        writer: asyncio.StreamWriter,
    ) -> None:
        """Pass each piece on when it is due, and never before an earlier one."""
        now = asyncio.get_running_loop().time
        while True:
            due, data = await pieces.get()
            await asyncio.sleep(due - now())
            await self._mended.wait()
            if not data:
                return
            if not (connection.is_dead or writer.is_closing()):
                with suppress(OSError):
                    writer.write(data)
                    await writer.drain()


@asynccontextmanager
async def relay(target: int) -> AsyncIterator[tuple[Relay, int]]:
    """Relay a free port of the loopback address until the block ends; yield the relay and the port."""
    relay = Relay(target)
    server = await asyncio.start_server(relay.connected, "127.0.0.1", 0)
    try:
        yield relay, server.sockets[0].getsockname()[1]
    finally:
        server.close()
        relay.reset()
