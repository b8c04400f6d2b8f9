"""Connections of the port: those on which calls are made, and TLS handshakes that led to none."""

import asyncio
from contextlib import suppress

import structlog

from searcher.serving.metrics.port import PortMetrics

_MOST_PEERS = 2_000
"""Connections that are known: twice the most that a port takes."""

_PATIENCE = 15.0
"""Seconds from a handshake to its first call: callers connect to call."""

_log = structlog.get_logger()


class Connections:
    """Counts connections, and reports handshakes without a call, at most one line each PATIENCE seconds.

    gRPC tells nobody of a handshake that fails: it is one that no call follows. Use it in the event loop.
    """

    def __init__(self, metrics: PortMetrics) -> None:
        self._metrics = metrics
        self._loop = asyncio.get_running_loop()
        self._peers: dict[str, None] = {}
        self._begun = 0
        """Handshakes since the start."""
        self._explained = 0
        """Those of them that calls followed, or that were reported."""
        self._is_waiting = False

    def record_handshake(self) -> None:
        """Record that a caller begins a TLS handshake. Any thread may call it."""
        self._metrics.handshakes.inc()
        # After the end of the loop nobody listens any more.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._expect_call)

    def record_call(self, peer: str) -> None:
        """Record a call. Its connection, named by the peer's address, counts unless it is known."""
        if peer in self._peers:
            return
        self._peers[peer] = None
        if len(self._peers) > _MOST_PEERS:
            del self._peers[next(iter(self._peers))]
        self._metrics.connections.inc()
        self._explained += 1

    def _expect_call(self) -> None:
        self._begun += 1
        if not self._is_waiting:
            self._wait()

    def _wait(self) -> None:
        self._is_waiting = True
        self._loop.call_later(_PATIENCE, self._report, self._begun)

    def _report(self, begun: int) -> None:
        """Report those of the first `begun` handshakes that no call has followed, unless they were."""
        self._is_waiting = False
        if (count := begun - self._explained) > 0:
            _log.warning(
                "TLS handshakes without a call",
                count=count,
                why="a certificate was refused, or a caller left; GRPC_VERBOSITY=INFO shows each",
            )
            self._explained += count
        if self._begun > begun:
            self._wait()
