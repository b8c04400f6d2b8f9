"""The sender: passes the events of the outbox on to the console, again until it has stored them."""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from typing import Protocol, Self

import grpc.aio

from battlesnake_search.common.logs import get_logger
from battlesnake_search.searcher_client import reason_of
from gateway.outbox.outbox import Outbox

log = get_logger(__name__)

INTERVAL = 0.05
"""Seconds between an event and the message with it. The message has the later events of these seconds, too.

A message takes the gateway's time, and the answers of a game's other snakes leave shortly after an event.
"""

MESSAGE_BYTES = 2**20
FLYING_BYTES = 4 * 2**20
"""The most bytes of a message, and of the messages that are sent and not acknowledged."""

_FIRST_BACKOFF, _MAX_BACKOFF = 0.1, 2.0

_PATIENCE = 2.0
"""The most seconds that the end waits for acknowledgements."""


class Stream(Protocol):
    """A connection to the console. Both methods raise an exception once it has ended."""

    async def send(self, events: bytes) -> None:
        """Send events, each a serialized message, joined."""

    async def acknowledged(self) -> int:
        """Wait for the next acknowledgement: all events up to the number are stored."""


Connect = Callable[[], AbstractAsyncContextManager[Stream]]
"""Returns a new stream, which is closed when its block ends. The attempt must end by itself."""


class Sender:
    """A task that sends the events in order, and all unacknowledged ones again in each new stream.

    An asynchronous context manager, to be left before its outbox. Leaving it waits up to two seconds for a
    reachable console to acknowledge, and then writes the rest to the file.
    """

    def __init__(self, outbox: Outbox, connect: Connect) -> None:
        self._outbox, self._connect = outbox, connect
        self._backoff = _FIRST_BACKOFF
        self._is_lost = False
        self._sent = 0
        """The highest number sent in this stream."""
        self._flying: deque[tuple[int, int]] = deque()
        """The last number and the bytes of each message that is not acknowledged."""
        self._landed = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                while self._outbox.waiting and not self._is_lost:
                    await asyncio.sleep(INTERVAL)
        self._task.cancel()
        await asyncio.wait([self._task])
        await self._outbox.sync()

    async def _run(self) -> None:
        while True:
            try:
                async with self._connect() as stream:
                    await self._use(stream)
            except Exception as error:
                self._lose(error)
            await asyncio.sleep(self._backoff)
            self._backoff = min(2 * self._backoff, _MAX_BACKOFF)

    async def _use(self, stream: Stream) -> None:
        """Send and receive until one of them fails, and raise its error."""
        self._sent = self._outbox.acknowledged
        self._flying.clear()
        tasks = [asyncio.create_task(self._send(stream)), asyncio.create_task(self._receive(stream))]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
        # gRPC cancels the calls of a closed channel. This is an end as any other.
        cancelled = ConnectionError("the stream was cancelled")
        raise next((end for end in ends if isinstance(end, Exception)), cancelled)

    async def _send(self, stream: Stream) -> None:
        while True:
            await self._outbox.wait(self._sent)
            await asyncio.sleep(INTERVAL)
            await self._room()
            events, self._sent = await self._outbox.read(self._sent, MESSAGE_BYTES)
            if events:
                self._flying.append((self._sent, len(events)))
                await stream.send(events)

    async def _room(self) -> None:
        """Wait until another message may be sent."""
        while sum(size for _, size in self._flying) > FLYING_BYTES - MESSAGE_BYTES:
            self._landed.clear()
            await self._landed.wait()

    async def _receive(self, stream: Stream) -> None:
        while True:
            # An earlier gateway may have used higher numbers. These say nothing of events that were not sent.
            number = min(await stream.acknowledged(), self._sent)
            is_stored = number > self._outbox.acknowledged or not self._outbox.waiting
            self._outbox.acknowledge(number)
            while self._flying and self._flying[0][0] <= number:
                self._flying.popleft()
            self._landed.set()
            if is_stored:
                self._find()

    def _lose(self, error: Exception) -> None:
        if not self._is_lost:
            log.warning("console lost", reason=_reason(error), waiting=self._outbox.waiting)
        self._is_lost = True

    def _find(self) -> None:
        """Note that the console stores events. A connection alone does not show that."""
        if self._is_lost:
            log.info("console back", waiting=self._outbox.waiting)
        self._is_lost, self._backoff = False, _FIRST_BACKOFF


def _reason(error: Exception) -> str:
    """Return the reason of a lost connection. The text of an error of gRPC has several lines."""
    if isinstance(error, grpc.aio.AioRpcError):
        return f"{error.code().name}: {reason_of(error)}"
    return str(error) or type(error).__name__
