"""The link to a console: events of games go into the outbox, and from there to the console by gRPC."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from typing import Any, Self

import grpc.aio

from battlesnake_search.channels import Credentials, open_channel
from battlesnake_search.common.logs import get_logger
from battlesnake_search.contract import record_pb2
from battlesnake_search.record import wire
from battlesnake_search.record.status import Status
from gateway.game.events import Answered, Event, Mended
from gateway.outbox.outbox import Outbox
from gateway.outbox.sender import INTERVAL, Sender

log = get_logger(__name__)

_RECORD = f"/{record_pb2.DESCRIPTOR.services_by_name['RecordService'].full_name}/Record"

_CONNECTING = 5.0
"""The most seconds of an attempt to connect."""


class ConsoleStream:
    """A call of `Record`. It answers the console's questions for the gateway's status.

    `failed` receives the error of a status that could not be made. Events go on, because a new call would be
    asked for the same status. The console asks again, and meanwhile shows a gateway that does not answer.
    """

    def __init__(
        self,
        call: Any,
        outbox_id: str,
        status: Callable[[], Awaitable[Status]],
        failed: Callable[[Exception], None],
    ) -> None:
        self._call = call
        self._id = outbox_id
        self._status = status
        self._failed = failed
        self._writing = asyncio.Lock()
        self._telling: asyncio.Task[None] | None = None

    async def send(self, events: bytes) -> None:
        """Send serialized requests, joined. Raises an error of gRPC once the call has ended."""
        async with self._writing:
            await self._call.write(events)

    async def acknowledged(self) -> int:
        """Wait for the next acknowledgement. Raises an error of gRPC, or ConnectionError, after the call."""
        response = await self._call.read()
        if response is grpc.aio.EOF:
            raise ConnectionError("the console has ended the call")
        if response.wants_status and (self._telling is None or self._telling.done()):
            self._telling = asyncio.create_task(self._tell())
        number: int = response.acknowledged
        return number

    async def _tell(self) -> None:
        try:
            status = wire.status_message(await self._status())
        except Exception as error:
            self._failed(error)
            return
        gateway = record_pb2.Gateway(id=self._id, status=status)
        try:
            await self.send(record_pb2.RecordRequest(gateway=gateway).SerializeToString())
        except Exception:
            # The sender learns of it by the end of the call, logs that, and makes another one.
            self._call.cancel()

    def close(self) -> None:
        """End the call."""
        if self._telling:
            self._telling.cancel()
        self._call.cancel()


async def _at_once() -> None:
    """Wait for nothing."""


class Link:
    """Takes the events of games, and passes them on. An asynchronous context manager.

    `status` returns the state of this gateway. Calls to the console send `credentials`. Each attempt to call
    it comes after `may_call`. A `sync` also waits for the console, for at most `wait` seconds.
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
        self._has_failed = False
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self._stack.enter_async_context(self._outbox)
        await self._stack.enter_async_context(Sender(self._outbox, self._connected))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

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

    def _status_failed(self, error: Exception) -> None:
        """Log the first status that could not be made. Later ones probably fail alike."""
        if not self._has_failed:
            log.error("status not told", exc_info=error)
        self._has_failed = True

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[ConsoleStream]:
        """Call the console. Raises an error of gRPC or TimeoutError if it can't be reached."""
        await self._may_call()
        async with open_channel(self._target, self._credentials.certificates) as channel:
            await asyncio.wait_for(channel.channel_ready(), _CONNECTING)
            method: Any = channel.stream_stream(
                _RECORD, response_deserializer=record_pb2.RecordResponse.FromString
            )
            call = method(metadata=self._credentials.metadata(self._target))
            stream = ConsoleStream(call, self._id, self._status, self._status_failed)
            await stream.send(
                record_pb2.RecordRequest(gateway=record_pb2.Gateway(id=self._id)).SerializeToString()
            )
            try:
                yield stream
            finally:
                stream.close()


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
