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
from prometheus_client.exposition import make_wsgi_app

from battlesnake_search.common.metrics import EventLoopMetrics
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


class MetricsPort:
    """A server of a registry at host:port or unix:PATH, with one request for each connection."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._app = make_wsgi_app(registry)
        self._open: dict[asyncio.Task[None], None] = {}
        """The open connections, the oldest first."""
        self._collecting = asyncio.Lock()
        self.address = ""
        """The address, with the actual port in place of port 0."""

    async def start(self, address: str) -> None:
        """Listen. Raises ListenError if that fails."""
        try:
            bound, self.address = _bound(address)
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise ListenError(f"cannot serve metrics on {address}: {reason}") from None
        start = asyncio.start_unix_server if address.startswith(UNIX) else asyncio.start_server
        self._server = await start(self._serve, sock=bound, limit=LARGEST_HEAD)

    async def close(self) -> None:
        """Stop serving."""
        self._server.close()
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
        try:
            environment = _environment(head)
        except (ValueError, HTTPException):
            return b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        lines: list[str] = []

        def start_response(status: str, headers: list[tuple[str, str]], *_: object) -> None:
            lines[:] = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers)]

        body = b"".join(self._app(environment, start_response))
        lines += [f"Content-Length: {len(body)}", "Connection: close", "", ""]
        return "\r\n".join(lines).encode("latin-1") + (
            body if environment["REQUEST_METHOD"] != "HEAD" else b""
        )


class MetricsPorts:
    """The addresses of a registry. While there is one, the metrics of the event loop are measured."""

    def __init__(self, registry: CollectorRegistry, loop: EventLoopMetrics) -> None:
        self._registry = registry
        self._loop = loop
        self._running = AsyncExitStack()
        self._listeners: list[MetricsPort] = []

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses of the metrics, with the actual port in place of port 0."""
        return tuple(listener.address for listener in self._listeners)

    async def listen(self, address: str) -> None:
        """Serve /metrics at host:port or unix:PATH as well. Raises ListenError if that fails."""
        if not self._listeners:
            await self._running.enter_async_context(self._loop.watching())
        listener = MetricsPort(self._registry)
        await listener.start(address)
        self._listeners.append(listener)

    async def close(self) -> None:
        """Stop serving the metrics."""
        await self._running.aclose()
        for listener in self._listeners:
            await listener.close()


def _environment(head: bytes) -> dict[str, str]:
    """Return a request's head in WSGI's form. Raises ValueError or HTTPException for other bytes."""
    line, _, rest = head.partition(b"\r\n")
    method, target, _ = line.decode("latin-1").split(" ")
    path, _, query = target.partition("?")
    headers = parse_headers(io.BytesIO(rest))
    return {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "HTTP_ACCEPT": headers.get("Accept", ""),
        "HTTP_ACCEPT_ENCODING": headers.get("Accept-Encoding", ""),
    }


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
