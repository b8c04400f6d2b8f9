"""The service battlesnake.record.v1: it takes the events of gateways, and tells them what is stored."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from typing import Any

import grpc

from battlesnake_search.common.logs import get_logger
from battlesnake_search.common.sparse import FAULTS
from battlesnake_search.contract import record_pb2, record_pb2_grpc
from battlesnake_search.record import wire
from battlesnake_search.record.events import Answered, Ended, Event, Started
from console.gateway import Gateways, GatewayStream
from console.store.feed import ALL, Feed, TooManyReadersError
from console.store.recorder import Changes, Recorder
from console.store.writer import Writer

SERVICE = record_pb2.DESCRIPTOR.services_by_name["RecordService"].full_name

_log = get_logger(__name__)

_CLOSED_EVERY = 60.0
"""Seconds between two looks for games without events."""

_EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED

_Context = grpc.aio.ServicerContext[Any, Any]


class RecordService(record_pb2_grpc.RecordServiceServicer):
    """Passes the events of all gateways through the recorder and the writer, then to the feed and watchers.

    `on_stored` receives each event when it is stored.
    """

    def __init__(
        self,
        recorder: Recorder,
        writer: Writer,
        feed: Feed,
        gateways: Gateways,
        on_stored: Callable[[Event], None],
    ) -> None:
        self._recorder = recorder
        self._writer = writer
        self._feed = feed
        self._gateways = gateways
        self._on_stored = on_stored
        self._watchers = Feed()

    async def Record(
        self, requests: AsyncIterator[record_pb2.RecordRequest], _context: _Context
    ) -> AsyncIterator[record_pb2.RecordResponse]:
        """Take the events of a gateway in their order, and acknowledge what is stored."""
        stream = GatewayStream()
        self._gateways.add(stream)
        receiving = asyncio.create_task(self._receive(requests, stream))
        try:
            async for response in _responses(stream, receiving):
                yield response
        finally:
            self._gateways.remove(stream)
            receiving.cancel()
            with suppress(asyncio.CancelledError):
                await receiving

    async def _receive(
        self, requests: AsyncIterator[record_pb2.RecordRequest], stream: GatewayStream
    ) -> None:
        async for request in requests:
            if request.gateway.HasField("status"):
                try:
                    self._gateways.set_status(stream, wire.status_of(request.gateway.status))
                except ValueError as error:
                    FAULTS.error(_log, "status not taken", reason=str(error))
            for message in request.events:
                # While the database is slow, the gateway keeps its events.
                await self._writer.room()
                await self._take(message, stream)

    async def _take(self, message: record_pb2.Event, stream: GatewayStream) -> None:
        """Take an event. A faulty one is acknowledged, because it would be sent again and again."""
        stream.taken = max(stream.taken, message.number)
        try:
            event = wire.decode(message)
            changes = await self._recorder.take(event)
        except ValueError as error:
            FAULTS.error(_log, "event not taken", number=message.number, reason=str(error))
        except Exception as error:
            FAULTS.error(_log, "event not taken", number=message.number, exc_info=error)
        else:
            then = partial(self._stored, stream, message.number, event, changes)
            self._writer.add(changes.items, then, message.ByteSize())
            return
        # The acknowledgement covers all earlier events, so it waits for them.
        self._writer.add((), partial(stream.acknowledge, message.number), message.ByteSize())

    async def close_silent_games(self) -> None:
        """Close the games without an event for a long time, again and again."""
        while True:
            await asyncio.sleep(_CLOSED_EVERY)
            changes = await self._recorder.close_silent()
            self._writer.add(changes.items, partial(self._publish, changes))

    def _publish(self, changes: Changes) -> None:
        for topic, name, data in changes.news:
            self._feed.publish(topic, name, data)

    def _stored(self, stream: GatewayStream, number: int, event: Event, changes: Changes) -> None:
        stream.acknowledge(number)
        self._publish(changes)
        for topic in {ALL, _game_of(event)}:
            self._watchers.offer(topic, partial(wire.encode, event, number))
        self._on_stored(event)

    async def Watch(
        self, request: record_pb2.WatchRequest, context: _Context
    ) -> AsyncIterator[record_pb2.WatchResponse]:
        """Answer with each event of a game, or of all games, once it is stored."""
        try:
            with self._watchers.reading(request.game_id) as watcher:
                # The client learns from which moment it gets all events.
                await context.send_initial_metadata(())
                while not watcher.is_dropped:
                    # A request with one event has the bytes of this response.
                    yield record_pb2.WatchResponse.FromString(await watcher.next())
        except TooManyReadersError:
            await context.abort(_EXHAUSTED, "too many watchers of events")
        await context.abort(_EXHAUSTED, "events were not read in time")


def _game_of(event: Event) -> str:
    return event.turn.game.id if isinstance(event, Started | Answered | Ended) else event.game_id


async def _responses(
    stream: GatewayStream, receiving: "asyncio.Task[None]"
) -> AsyncIterator[record_pb2.RecordResponse]:
    """Yield what a gateway is told, until it leaves, or has sent all and everything is acknowledged."""
    receiving.add_done_callback(lambda _: stream.told.set())
    while not receiving.done() or (
        not receiving.cancelled() and receiving.exception() is None and stream.acknowledged < stream.taken
    ):
        await stream.told.wait()
        stream.told.clear()
        wants, stream.wants_status = stream.wants_status, False
        yield record_pb2.RecordResponse(acknowledged=stream.acknowledged, wants_status=wants)
