"""The address at which a registry is served over HTTP, in a thread of its own."""

import socket
import socketserver
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import ThreadingWSGIServer, make_wsgi_app

from searcher.serving.address import ListenError, check_address, split_address

_UNIX = "unix:"

_END = 1.0
"""Seconds for the thread to notice that it should end."""


class Listener:
    """A registry that is served at host:port or unix:PATH until it is closed.

    The constructor raises ListenError if it can't listen there.
    """

    def __init__(self, address: str, registry: CollectorRegistry) -> None:
        self._server = _server(address)
        self._server.set_app(make_wsgi_app(registry))
        self._open = True
        self.address = _actual(address, self._server)
        """The address, with the actual port in place of port 0."""
        self._thread = Thread(target=self._serve, name="metrics", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop serving."""
        self._open = False
        # It wakes the thread, which otherwise sleeps until somebody calls.
        with suppress(OSError):
            self._server.socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(_END)
        self._server.server_close()

    def _serve(self) -> None:
        # The standard library's serve_forever would wake up twice a second.
        while self._open:
            self._server.handle_request()


class _Handler(WSGIRequestHandler):
    """Logs nothing."""

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


class _Server6(ThreadingWSGIServer):
    """A server at an address of IPv6."""

    address_family = socket.AF_INET6


class _UnixServer(ThreadingWSGIServer):
    """A server on a Unix socket, which has no host name to look up."""

    address_family = socket.AF_UNIX

    def server_bind(self) -> None:
        """Bind the socket."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "localhost", 0
        self.setup_environ()

    def get_request(self) -> tuple[socket.socket, Any]:
        """Return a connection, and an address of the kind that the handler expects."""
        connection, _ = super().get_request()
        return connection, ("localhost", 0)


def _server(address: str) -> ThreadingWSGIServer:
    try:
        if address.startswith(_UNIX):
            check_address(address)
            path = address.removeprefix(_UNIX)
            # A searcher that was killed has left its socket.
            Path(path).unlink(missing_ok=True)
            return _UnixServer(path, _Handler)  # type: ignore[arg-type]
        host, port = split_address(address)
        return (_Server6 if ":" in host else ThreadingWSGIServer)((host, port), _Handler)
    except OSError as error:
        raise ListenError(f"cannot serve metrics on {address}: {error.strerror or error}") from None


def _actual(address: str, server: ThreadingWSGIServer) -> str:
    if address.startswith(_UNIX):
        return address
    return f"{address.rpartition(':')[0]}:{server.server_port}"
