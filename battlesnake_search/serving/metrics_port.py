"""The metrics of a gRPC port, and the addresses at which a program serves its metrics.

The addresses bound what strangers may hold open there.
"""

import asyncio
import io
import os
import socket
from contextlib import AsyncExitStack, suppress
from http.client import HTTPException, parse_headers
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter

from battlesnake_search.common.metrics import EventLoopMetrics, exposition
from battlesnake_search.common.sockets import UNIX, path_of
from battlesnake_search.serving.address import ListenError, check_address, split_address

PATIENCE = 5.0
"""Seconds for a whole request and its answer."""

MOST_CONNECTIONS = 32
"""The most open connections. A further one ends the oldest one, so Prometheus always gets its answer."""

LARGEST_HEAD = 8 * 1024
"""Bytes of a request's head."""


class PortMetrics:
    """The refused calls, the unsent answers, and the connections of a port. Threads may share it.

    `service` is the prefix of the metrics' names.
    """

    def __init__(self, service: str, registry: CollectorRegistry) -> None:
        self.refused = Counter(
            f"{service}_calls_refused",
            "Calls that the port refused; token is empty unless the token file has the name.",
            ("reason", "token"),
            registry=registry,
        )
        self.unsent = Counter(
            f"{service}_answers_unsent",
            "Answers that could not be sent, because their caller had left or their deadline had passed.",
            registry=registry,
        )
        self.handshakes = Counter(
            f"{service}_tls_handshakes", "TLS handshakes that callers began.", registry=registry
        )
        self.connections = Counter(
            f"{service}_connections", "Connections on which a call was made.", registry=registry
        )
        self.closed = Counter(
            f"{service}_connections_closed",
            "Connections that the port closed because of their number, or because no call was made on them.",
            registry=registry,
        )


class MetricsPorts:
    """Serves a registry's metrics at addresses, each host:port or unix:PATH, one request for each connection.

    While there is an address, the metrics of the event loop are measured.
    """

    def __init__(self, registry: CollectorRegistry, loop: EventLoopMetrics) -> None:
        self._registry = registry
        self._loop = loop
        self._running = AsyncExitStack()
        self._open: dict[asyncio.Task[None], None] = {}
        """The open connections, the oldest first."""
        self._collecting = asyncio.Lock()
        self.addresses: list[str] = []
        """The addresses, with the actual port in place of port 0."""

    async def listen(self, address: str) -> None:
        """Serve the metrics at this address as well. Raises ListenError if that fails."""
        try:
            bound, actual = _bound(address)
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise ListenError(f"cannot serve metrics on {address}: {reason}") from None
        if not self.addresses:
            await self._running.enter_async_context(self._loop.watching())
        start = asyncio.start_unix_server if address.startswith(UNIX) else asyncio.start_server
        server = await start(self._serve, sock=bound, limit=LARGEST_HEAD)
        self._running.callback(server.close)
        self.addresses.append(actual)

    async def close(self) -> None:
        """Stop serving."""
        await self._running.aclose()
        for connection in self._open:
            connection.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = asyncio.current_task()
        assert connection
        self._open[connection] = None
        if len(self._open) > MOST_CONNECTIONS:
            next(iter(self._open)).cancel()
        try:
            async with asyncio.timeout(PATIENCE):
                head = await reader.readuntil(b"\r\n\r\n")
                async with self._collecting:
                    # In the event loop, collecting would delay moves.
                    answer = await asyncio.to_thread(self._answer, head)
                writer.write(answer)
                await writer.drain()
                writer.close()
                await writer.wait_closed()
        except (TimeoutError, EOFError, asyncio.LimitOverrunError, OSError, asyncio.CancelledError):
            # Another connection, the port's end, or the caller itself has ended the connection.
            writer.transport.abort()
        finally:
            del self._open[connection]

    def _answer(self, head: bytes) -> bytes:
        """Return the answer to a request's head."""
        line, _, headers = head.partition(b"\r\n")
        try:
            accept = parse_headers(io.BytesIO(headers)).get("Accept", "")
        except HTTPException:
            line = b""
        if not line.startswith(b"GET "):
            return b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        body, content_type = exposition(self._registry, accept)
        lines = "HTTP/1.1 200 OK", f"Content-Type: {content_type}", f"Content-Length: {len(body)}"
        return "\r\n".join((*lines, "Connection: close", "", "")).encode() + body


def _bound(address: str) -> tuple[socket.socket, str]:
    """Return a socket at an address, and the address with the actual port. Raises OSError and ListenError."""
    if address.startswith(UNIX):
        check_address(address)
        path = path_of(address)
        # A killed program leaves its socket.
        with suppress(FileNotFoundError):
            Path(path).unlink()
        bound = socket.socket(socket.AF_UNIX)
        bound.bind(path)
        return bound, address
    host, port = split_address(address)
    bound = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    return bound, f"{address.rpartition(':')[0]}:{bound.getsockname()[1]}"
