"""A listening port. It ends connections that are too slow, silent, or too many."""

import asyncio
import os
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from enum import Enum, auto
from functools import partial
from itertools import chain
from typing import Any, cast

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from yarl import URL

from battlesnake_search.common.logs import get_logger
from battlesnake_search.common.peers import network_of
from battlesnake_search.ports.bounds import EarlyEnd, PortBounds
from battlesnake_search.ports.headers import COMMON

log = get_logger(__name__)

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

Count = Callable[[EarlyEnd], None]
"""A function that receives the reason of an early end."""

_NO_TIMEOUT = 1e9
"""Seconds. aiohttp's own timer for idle connections would also end requests that have begun to arrive."""

_LINGERING = 1.0
"""Seconds for reading the rest of a refused body, so that the caller receives the answer."""

_SLICE = 0.005
"""Seconds that requests which arrive together take before other events run, so that no move waits for all."""

_SMALL = 16_384
"""The bytes of a request that is taken however many others arrive. Most bodies have 2,000 to 8,000."""


class _Phase(Enum):
    """The state of a connection."""

    SILENT = auto()
    """No byte has arrived yet."""
    HEAD = auto()
    BODY = auto()
    ANSWERING = auto()
    IDLE = auto()
    """A request has been answered, and no further request has begun."""
    OVER = auto()
    """The connection is ending, and the reason has been counted."""


_GONE = {
    _Phase.HEAD: EarlyEnd.GONE_IN_HEAD,
    _Phase.BODY: EarlyEnd.GONE_IN_BODY,
    _Phase.ANSWERING: EarlyEnd.GONE_BEFORE_ANSWER,
}
"""The counted reason if the caller disconnects in a phase."""


class Connections:
    """The open connections of a port. `count` receives the reason of each early end.

    A full port makes room for a new connection. It closes a connection of the caller with the most: the
    oldest one without a completed request or, if the new connection's caller has fewer, the longest idle one.
    If that caller has neither, the port closes another connection without a completed request, or the new
    connection.
    """

    def __init__(self, bounds: PortBounds, count: Count) -> None:
        self.bounds = bounds
        self.count = count
        self._open: set[Connection] = set()
        self._by_address: Counter[str] = Counter()
        # In the order of their beginning.
        self._unproven: dict[Connection, None] = {}
        # In the order of the ends of their last requests.
        self._idle: dict[Connection, None] = {}
        self.bytes = 0
        """The bytes of the requests that arrive or wait for their answers."""
        self.are_left = False
        """Whether another program gets the port."""
        self._slice_began: float | None = None
        """The time of the first request in the present turn of the event loop."""

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, connection: "Connection") -> bool:
        """Record a connection if there is room; return whether there was."""
        if not self._has_room(connection.address):
            return False
        self._open.add(connection)
        self._by_address[connection.address] += 1
        self._unproven[connection] = None
        return True

    def prove(self, connection: "Connection") -> None:
        """Record that a connection has completed a request."""
        self._unproven.pop(connection, None)

    def set_idle(self, connection: "Connection", is_idle: bool) -> None:
        """Record whether a connection waits for a further request."""
        self._idle.pop(connection, None)
        if is_idle:
            self._idle[connection] = None

    def forget(self, connection: "Connection") -> None:
        """Remove a connection that has ended."""
        if connection not in self._open:
            return
        self._open.remove(connection)
        self._unproven.pop(connection, None)
        self._idle.pop(connection, None)
        self._by_address[connection.address] -= 1
        if not self._by_address[connection.address]:
            del self._by_address[connection.address]

    async def let_others_run(self) -> None:
        """Wait for a later turn of the event loop if requests have taken long in the present one."""
        while True:
            now = time.monotonic()
            if self._slice_began is None:
                self._slice_began = now
                asyncio.get_running_loop().call_soon(self._end_slice)
            if now - self._slice_began < _SLICE:
                return
            await asyncio.sleep(0)

    def _end_slice(self) -> None:
        self._slice_began = None

    def close_unfinished(self) -> None:
        """Close the connections whose requests have not arrived as a whole, before the port ends."""
        for connection in [each for each in self._open if each.is_unfinished]:
            connection.cut_off(None)

    def leave(self) -> None:
        """Close each connection, if need be after its next answer, because another program gets the port."""
        self.are_left = True
        for connection in list(self._idle):
            connection.cut_off(None)

    def _has_room(self, address: str) -> bool:
        own = self._by_address[address]
        if own >= self.bounds.per_address:
            return _close_first(each for each in self._unproven if each.address == address)
        if len(self._open) < self.bounds.connections:
            return True
        heaviest = max(self._by_address, key=lambda each: self._by_address[each])
        is_heavier = self._by_address[heaviest] > own + 1
        return _close_first(
            chain(
                (each for each in self._unproven if each.address == heaviest),
                (each for each in self._idle if is_heavier and each.address == heaviest),
                # A caller of many connections does not close those of others.
                (each for each in self._unproven if self._by_address[each.address] >= own),
            )
        )


def _close_first(connections: Iterator["Connection"]) -> bool:
    """Close the first connection; return False if there is none."""
    first = next(connections, None)
    if first:
        first.cut_off(EarlyEnd.TOO_MANY)
    return first is not None


class Connection(web.RequestHandler):
    """aiohttp's protocol of a connection, with time limits for its caller."""

    __slots__ = ("_bytes", "_is_more_here", "_phase", "_socket", "_timer", "address", "connections")

    def __init__(self, connections: Connections, server: web.Server) -> None:
        super().__init__(
            server,
            loop=asyncio.get_running_loop(),
            keepalive_timeout=_NO_TIMEOUT,
            lingering_time=_LINGERING,
            access_log=None,  # type: ignore[arg-type]
        )
        self.address = ""
        self.connections = connections
        self._bytes = 0
        """The bytes of the present request."""
        self._phase = _Phase.SILENT
        self._is_more_here = False
        """Whether bytes of a further request have arrived during the present one."""
        self._timer: asyncio.TimerHandle | None = None
        # aiohttp drops its reference to the transport before all data are sent.
        self._socket: asyncio.Transport | None = None

    @property
    def is_unfinished(self) -> bool:
        """Whether a request has not arrived as a whole."""
        return self._phase in (_Phase.SILENT, _Phase.HEAD, _Phase.BODY)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, or end immediately if too many connections are open."""
        # uvloop's transports have the methods but another base class.
        self._socket = cast(asyncio.Transport, transport)
        self.address = _address_of(self._socket)
        if not self.connections.admit(self):
            self.cut_off(EarlyEnd.TOO_MANY)
            return
        super().connection_made(transport)
        self._enter(_Phase.SILENT)

    def data_received(self, data: bytes) -> None:
        """Take data. A request's time limit begins with its first data."""
        if self._phase in (_Phase.SILENT, _Phase.IDLE):
            self._enter(_Phase.HEAD)
        elif self._phase is _Phase.ANSWERING:
            self._is_more_here = True
        self._count(len(data))
        if self._bytes > _SMALL and self.connections.bytes > self.connections.bounds.bytes:
            self.cut_off(EarlyEnd.CROWDED)
            return
        super().data_received(data)

    def _count(self, number: int) -> None:
        """Add bytes to the present request."""
        self._bytes += number
        self.connections.bytes += number

    def pause_writing(self) -> None:
        """Give the caller time to read the sent data."""
        super().pause_writing()
        self._start_timer(self.connections.bounds.request, EarlyEnd.UNREAD)

    def resume_writing(self) -> None:
        """Continue after `pause_writing`."""
        super().resume_writing()
        self._enter(self._phase)

    def connection_lost(self, exc: BaseException | None) -> None:
        """End the connection, and count it if the caller has disconnected during a request."""
        if ending := _GONE.get(self._phase):
            self._end(ending)
        self._stop_timer()
        self._count(-self._bytes)
        self.connections.forget(self)
        super().connection_lost(exc)

    async def receive(self, request: web.Request) -> None:
        """Receive a whole request. Raises HTTPException if its body is invalid or too large."""
        if self._phase is not _Phase.HEAD:
            self._enter(_Phase.HEAD)
        self._phase = _Phase.BODY
        try:
            if (request.content_length or 0) > request.client_max_size:
                raise web.HTTPRequestEntityTooLarge(request.client_max_size)
            await request.read()
        except web.HTTPRequestEntityTooLarge as refusal:
            self._end(EarlyEnd.TOO_LARGE)
            refusal.force_close()
            raise
        except (OSError, web.RequestPayloadError):
            # If the caller has disconnected, its end is counted already, and this answer is lost.
            self._end(EarlyEnd.BAD_HTTP)
            refused = web.HTTPBadRequest()
            refused.force_close()
            raise refused from None
        self.connections.prove(self)
        self._enter(_Phase.ANSWERING)

    def answered(self) -> None:
        """Wait for the next request."""
        self._count(-self._bytes)
        if self._phase is _Phase.ANSWERING:
            self._enter(_Phase.HEAD if self._is_more_here else _Phase.IDLE)
            self._is_more_here = False

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer a request that is not HTTP, without a traceback in the log: port scanners send many."""
        if not isinstance(exc, HttpProcessingError):
            return super().handle_error(request, status, exc, message)
        self._end(EarlyEnd.BAD_HTTP)
        response = web.Response(status=status, text="bad HTTP\n", headers=COMMON)
        response.force_close()
        return response

    def log_exception(self, *args: Any, **kw: Any) -> None:
        """Log an error, unless the caller has disconnected or sent an invalid body."""
        error = kw.get("exc_info")
        is_gone = self._socket is not None and self._socket.is_closing()
        if (is_gone and isinstance(error, ConnectionError)) or isinstance(error, web.RequestPayloadError):
            return
        super().log_exception(*args, **kw)

    def cut_off(self, ending: EarlyEnd | None) -> None:
        """End the connection immediately, and count `ending`."""
        if ending:
            self._end(ending)
        self._stop_timer()
        self.connections.forget(self)
        if self._socket:
            self._socket.abort()

    def _end(self, ending: EarlyEnd) -> None:
        if self._phase is not _Phase.OVER:
            self._phase = _Phase.OVER
            self.connections.count(ending)

    def _enter(self, phase: _Phase) -> None:
        """Begin a phase, with its time."""
        if (phase is _Phase.IDLE) != (self._phase is _Phase.IDLE):
            self.connections.set_idle(self, phase is _Phase.IDLE)
        self._phase, bounds = phase, self.connections.bounds
        if phase is _Phase.ANSWERING:
            self._stop_timer()
        elif phase is _Phase.IDLE:
            self._start_timer(bounds.idle, None)
        else:
            self._start_timer(bounds.request, EarlyEnd.SILENT if phase is _Phase.SILENT else EarlyEnd.SLOW)

    def _start_timer(self, seconds: float, ending: EarlyEnd | None) -> None:
        self._stop_timer()
        self._timer = asyncio.get_running_loop().call_later(seconds, self.cut_off, ending)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None


@web.middleware
async def whole_requests(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Handle a request when it has arrived as a whole. On other servers, handle it immediately."""
    try:
        response = await _handle_whole(request, handler)
    except web.HTTPException as refusal:
        response = _answer_of(refusal)
    connection = request.protocol
    if isinstance(connection, Connection) and connection.connections.are_left:
        response.force_close()
    return response


async def _handle_whole(request: web.Request, handler: _Handler) -> web.StreamResponse:
    connection = request.protocol
    if not isinstance(connection, Connection):
        return await handler(request)
    await connection.receive(request)
    await connection.connections.let_others_run()
    try:
        if not _has_url(request):
            raise web.HTTPBadRequest
        return await handler(request)
    finally:
        connection.answered()


def _answer_of(refusal: web.HTTPException) -> web.Response:
    """Return the answer of a refusal, without what it holds.

    aiohttp would answer with the exception itself. Its traceback refers to the function that has it, so that
    the request would stay in memory until the garbage collector runs.
    """
    refusal.__traceback__ = None
    answer = web.Response(status=refusal.status, headers=refusal.headers, body=refusal.body)
    if refusal.keep_alive is False:
        answer.force_close()
    return answer


def _has_url(request: web.Request) -> bool:
    """Return whether the request's Host and path make a URL."""
    try:
        return bool(request.url)
    except ValueError:
        return False


def _address_of(transport: asyncio.BaseTransport) -> str:
    """Return the name of a caller: its IPv4 address, or the network of its IPv6 address."""
    peer = transport.get_extra_info("peername")
    return network_of(str(peer[0])) if isinstance(peer, tuple) else ""


_ACCEPTED_AT_ONCE = 64
"""The most connections that are accepted before other events run."""

_WAITING = 4096
"""The most connections that wait in the system. Further ones have to try again after a second."""


class BoundedSite(web.BaseSite):
    """A port of a runner. Its application needs the middleware `whole_requests`."""

    __slots__ = ("_host", "_port", "connections")

    def __init__(self, runner: web.AppRunner, host: str, port: int, bounds: PortBounds, count: Count) -> None:
        super().__init__(runner)
        self._host = host
        self._port = port
        self.connections = Connections(bounds, count)

    @property
    def name(self) -> str:
        """The URL of the port."""
        host, port, *_ = (*self._runner.addresses, (self._host, self._port))[0]
        return str(URL.build(scheme="http", host=host, port=port))

    async def start(self) -> None:
        """Listen. Raises OSError if the address is unavailable."""
        await super().start()
        server = self._runner.server
        assert server is not None
        loop = asyncio.get_running_loop()
        listening = await loop.create_server(
            partial(Connection, self.connections, server), self._host, self._port, backlog=_ACCEPTED_AT_ONCE
        )
        self._server = listening
        for each in listening.sockets:
            # asyncio has a single number for both limits, so listen again to set the system's.
            with socket.socket(fileno=os.dup(each.fileno())) as same:
                same.listen(_WAITING)
