"""The link to a console: events of games go into the outbox, and from there to the console by gRPC."""

import asyncio
import uuid
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from functools import partial
from typing import Any, Self

import grpc.aio

from battlesnake_search.channels import Credentials, open_channel
from battlesnake_search.common.logs import get_logger
from battlesnake_search.common.sparse import Sparse
from battlesnake_search.contract import record_pb2
from battlesnake_search.record import wire
from battlesnake_search.record.status import Status
from battlesnake_search.searcher_client import reason_of
from gateway.game.events import Answered, Event, Mended
from gateway.outbox.outbox import Outbox

log = get_logger(__name__)

_RECORD = f"/{record_pb2.DESCRIPTOR.services_by_name['RecordService'].full_name}/Record"

INTERVAL = 0.05
"""Seconds from an event to its message, which also takes later events.

The delay lets the answers of the game's other snakes leave first.
"""

MESSAGE_BYTES = 2**20
"""The most bytes of a message."""

FLYING_BYTES = 4 * 2**20
"""The most bytes of the messages that are sent and not acknowledged.

A console acknowledges nothing while its database is lost, and has to keep what it got.
"""

_CONNECTING = 5.0
"""The most seconds of an attempt to connect."""

_FIRST_BACKOFF, _MAX_BACKOFF = 0.1, 2.0

_PATIENCE = 2.0
"""The most seconds that the end waits for acknowledgements."""


async def _at_once() -> None:
    """Wait for nothing."""


class Link:
    """Takes the events of games, and passes them on in order. An asynchronous context manager.

    A call of `Record` that has ended is followed by another one, which gets all unacknowledged events again.
    Calls send `credentials`, and each attempt waits for `may_call`. `status` returns the state of this
    gateway, for which the console asks. A `sync` also waits for the console, for at most `wait` seconds.
    Leaving the link waits up to two seconds for a reachable console to acknowledge, and then writes the rest
    to the file.
    """

    def __init__(
        self,
        target: str,
        outbox: Outbox,
        status: Callable[[], Awaitable[Status]],
        credentials: Credentials | None = None,
        may_call: Callable[[], Awaitable[object]] = _at_once,
        wait: float = 0.0,
    ) -> None:
        self._target = target
        self._outbox = outbox
        self._status = status
        self._credentials = credentials or Credentials()
        self._may_call = may_call
        self._wait = wait
        self._id = uuid.uuid4().hex
        self._failed_statuses = Sparse(rate=0.0)
        """Logs only the first failure to make a status, because later ones probably fail alike."""
        self._backoff = _FIRST_BACKOFF
        self._is_lost = False
        self._sent = 0
        """The highest number sent in this call."""
        self._flying: deque[tuple[int, int]] = deque()
        """The last number and the bytes of each message that is not acknowledged."""
        self._landed = asyncio.Event()
        self._writing = asyncio.Lock()
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self._stack.enter_async_context(self._outbox)
        self._stack.push_async_callback(self._end, asyncio.create_task(self._run()))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def _end(self, sending: "asyncio.Task[None]") -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                while self._outbox.waiting and not self._is_lost:
                    await asyncio.sleep(INTERVAL)
        sending.cancel()
        await asyncio.wait([sending])

    def take(self, event: Event) -> None:
        """Put an event into the outbox, unless it is not recorded."""
        if not isinstance(event, Mended):
            # Moves are dropped first if there is too little space.
            self._outbox.put(partial(wire.encode, event), is_kept=not isinstance(event, Answered))

    async def sync(self) -> None:
        """Write all events to the file, for at most a second. Then wait for the console, if that is set."""
        number = self._outbox.last
        await self._outbox.sync()
        if self._wait:
            await self._stored(number)

    async def _stored(self, number: int) -> None:
        """Wait until the console has stored the events up to a number, and log it if that takes too long."""
        try:
            async with asyncio.timeout(self._wait):
                while self._outbox.acknowledged < number:
                    await asyncio.sleep(INTERVAL)
        except TimeoutError:
            log.warning("events not stored yet", console=self._target, waiting=self._outbox.waiting)

    async def _run(self) -> None:
        while True:
            try:
                await self._may_call()
                await self._call()
            except Exception as error:
                if not self._is_lost:
                    log.warning("console lost", reason=_reason(error), waiting=self._outbox.waiting)
                self._is_lost = True
            await asyncio.sleep(self._backoff)
            self._backoff = min(2 * self._backoff, _MAX_BACKOFF)

    async def _call(self) -> None:
        """Call the console. Raises the error by which the call ends, or TimeoutError without a connection."""
        async with open_channel(self._target, self._credentials.certificates) as channel:
            await asyncio.wait_for(channel.channel_ready(), _CONNECTING)
            method: Any = channel.stream_stream(
                _RECORD, response_deserializer=record_pb2.RecordResponse.FromString
            )
            call = method(metadata=self._credentials.metadata(self._target))
            self._sent = self._outbox.acknowledged
            self._flying.clear()
            tasks = [asyncio.create_task(self._send(call)), asyncio.create_task(self._receive(call))]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in tasks:
                    task.cancel()
                ends = await asyncio.gather(*tasks, return_exceptions=True)
                call.cancel()
        # A cancelled call has ended, too.
        cancelled = ConnectionError("the call was cancelled")
        raise next((end for end in ends if isinstance(end, Exception)), cancelled)

    async def _send(self, call: Any) -> None:
        await self._tell(call, None)
        while True:
            await self._outbox.wait(self._sent)
            await asyncio.sleep(INTERVAL)
            while sum(size for _, size in self._flying) > FLYING_BYTES - MESSAGE_BYTES:
                self._landed.clear()
                await self._landed.wait()
            events, self._sent = await self._outbox.read(self._sent, MESSAGE_BYTES)
            if events:
                self._flying.append((self._sent, len(events)))
                await self._write(call, events)

    async def _tell(self, call: Any, status: record_pb2.Status | None) -> None:
        """Send the gateway's id, and its status, if given."""
        gateway = record_pb2.Gateway(id=self._id, status=status)
        await self._write(call, record_pb2.RecordRequest(gateway=gateway).SerializeToString())

    async def _write(self, call: Any, request: bytes) -> None:
        """Send a serialized request. Several requests, joined, are a request, too."""
        async with self._writing:
            await call.write(request)

    async def _receive(self, call: Any) -> None:
        telling: asyncio.Task[None] | None = None
        try:
            while (response := await call.read()) is not grpc.aio.EOF:
                self._acknowledge(response.acknowledged)
                if response.wants_status and (telling is None or telling.done()):
                    telling = asyncio.create_task(self._tell_status(call))
        finally:
            if telling:
                telling.cancel()
        raise ConnectionError("the console has ended the call")

    def _acknowledge(self, number: int) -> None:
        # An earlier gateway may have used higher numbers. These say nothing of events that were not sent.
        number = min(number, self._sent)
        # A connection alone does not show that the console stores events.
        if number > self._outbox.acknowledged or not self._outbox.waiting:
            if self._is_lost:
                log.info("console back", waiting=self._outbox.waiting)
            self._is_lost, self._backoff = False, _FIRST_BACKOFF
        self._outbox.acknowledge(number)
        while self._flying and self._flying[0][0] <= number:
            self._flying.popleft()
        self._landed.set()

    async def _tell_status(self, call: Any) -> None:
        """Send the status that the console asked for.

        A failure must not end the call, because the next call would get the same request. The console asks
        again, and meanwhile shows a gateway that does not answer.
        """
        try:
            status = wire.status_message(await self._status())
        except Exception as error:
            self._failed_statuses.error(log, "status not told", exc_info=error)
            return
        # After the end of the call, the reader has its error.
        with suppress(Exception):
            await self._tell(call, status)


def _reason(error: Exception) -> str:
    """Return the reason of a lost connection. The text of an error of gRPC has several lines."""
    if isinstance(error, grpc.aio.AioRpcError):
        return f"{error.code().name}: {reason_of(error)}"
    return str(error) or type(error).__name__


async def greet(target: str, credentials: Credentials | None) -> None:
    """Call a console without events. Raises grpc.aio.AioRpcError if it does not answer."""
    credentials = credentials or Credentials()
    async with open_channel(target, credentials.certificates) as channel:
        method: Any = channel.stream_stream(_RECORD)
        call = method(metadata=credentials.metadata(target))
        # With an iterator of requests, a call that fails meanwhile is cancelled, and its error is lost.
        with suppress(grpc.aio.InternalError):
            await call.done_writing()
        await call.read()
