"""The Prometheus metrics of a searcher, in a registry of their own, served on an address of their own."""

import asyncio
from contextlib import suppress
from threading import Thread
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, Counter, Gauge, start_http_server

from searcher.serving.address import ListenError, split_address


class Metrics:
    """The metrics of one searcher. Create it in the event loop; threads may share it."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.address = ""
        """Where they are served, with the actual port in place of port 0; empty if nowhere."""
        self._served: tuple[WSGIServer, Thread] | None = None
        self.refused = Counter(
            "searcher_calls_refused",
            "Calls that the port refused; token is empty unless the token file has the name.",
            ("reason", "token"),
            registry=self.registry,
        )
        self.unsent = Counter(
            "searcher_answers_unsent",
            "Answers that could not be sent, because their caller had left or their deadline had passed.",
            registry=self.registry,
        )
        self.handshakes = Counter(
            "searcher_tls_handshakes", "TLS handshakes that callers began.", registry=self.registry
        )
        self.connections = Counter(
            "searcher_connections", "Connections on which a call was made.", registry=self.registry
        )
        loop = asyncio.get_running_loop()
        tasks = Gauge("searcher_tasks", "Tasks of the event loop.", registry=self.registry)
        tasks.set_function(lambda: len(asyncio.all_tasks(loop)))

    def listen(self, address: str) -> None:
        """Serve /metrics at host:port. Raises ListenError if it can't listen there."""
        host, port = split_address(address)
        try:
            self._served = server, _ = start_http_server(port, host, self.registry)
        except OSError as error:
            raise ListenError(f"cannot serve metrics on {address}: {error.strerror or error}") from None
        self.address = f"{address.rpartition(':')[0]}:{server.server_port}"

    def close(self) -> None:
        """Stop serving, if it serves."""
        if self._served:
            server, thread = self._served
            with suppress(OSError):
                server.shutdown()
            server.server_close()
            thread.join()
