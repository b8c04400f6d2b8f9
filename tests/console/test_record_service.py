"""The service for the events of gateways, over real sockets."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc.aio
import pytest

from battlesnake_search.common.sparse import Sparse
from battlesnake_search.contract import record_pb2, record_pb2_grpc
from battlesnake_search.record import wire
from battlesnake_search.record.events import Answered, Ended, Event, Started
from console import record_service
from console.app import Console
from console.settings import Settings
from console.store import feed
from tests.console.store.game_samples import ARM, searched, turn_at
from tests.console.store.outcome_samples import OUTCOME
from tests.console.test_gateway import status_with
from tests.console.web.console import recording
from tests.support.logs import capture_logs

PATIENCE = 20.0

Stub = Any


@pytest.fixture(autouse=True)
def each_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """Log the first fault of each test, however soon it follows that of another test."""
    monkeypatch.setattr(record_service, "FAULTS", Sparse())


@asynccontextmanager
async def serving() -> AsyncIterator[tuple[Console, Stub]]:
    """Serve a console without pages; yield it with a stub of its service."""
    async with (
        recording(Settings()) as (console, address),
        grpc.aio.insecure_channel(address) as channel,
        asyncio.timeout(PATIENCE),
    ):
        yield console, record_pb2_grpc.RecordServiceStub(channel)


def _request(event: Event, number: int) -> record_pb2.RecordRequest:
    return record_pb2.RecordRequest.FromString(wire.encode(event, number))


def _game(game: str, turns: int = 2) -> list[record_pb2.RecordRequest]:
    """Return the requests of a whole game, numbered from 1."""
    answered = [
        Answered(turn_at(number, game), ARM, searched(turn_at(number, game))) for number in range(turns)
    ]
    events: list[Event] = [
        Started(turn_at(0, game), ARM),
        *answered,
        Ended(turn_at(turns, game), ARM, OUTCOME),
    ]
    return [_request(event, number) for number, event in enumerate(events, 1)]


async def _acknowledged(call: Any, number: int) -> None:
    """Read until events up to a number are acknowledged."""
    while (await call.read()).acknowledged < number:
        pass


async def test_a_stream_that_ends_is_acknowledged_as_a_whole() -> None:
    """A gateway that sends no more gets the last acknowledgement, and then the call ends."""
    async with serving() as (console, stub):
        call = stub.Record(iter(_game("g")))
        told = [response.acknowledged async for response in call]
        assert told[-1] == 4 and told == sorted(told)
        assert await call.code() is grpc.StatusCode.OK
        assert len(console.gateways) == 0


async def test_a_broken_stream_leaves_no_gateway() -> None:
    """Its events are stored, and another stream may repeat them."""
    async with serving() as (console, stub):
        call = stub.Record()
        for request in _game("g"):
            await call.write(request)
        await _acknowledged(call, 4)
        assert len(console.gateways) == 1
        call.cancel()
        while len(console.gateways):
            await asyncio.sleep(0.01)
        assert [response.acknowledged async for response in stub.Record(iter(_game("g")))][-1] == 4


async def test_the_state_of_a_gateway_is_asked_for() -> None:
    """The first answer asks for it. A faulty state is logged, and events go on."""
    async with serving() as (console, stub):
        call = stub.Record()
        assert (await call.read()).wants_status
        faulty = record_pb2.Gateway(id="a", status=record_pb2.Status())
        with capture_logs() as lines:
            await call.write(record_pb2.RecordRequest(gateway=faulty))
            for request in _game("g"):
                await call.write(request)
            await _acknowledged(call, 4)
        assert [line["event"] for line in lines if line["log_level"] == "error"] == ["status not taken"]
        told = record_pb2.Gateway(id="a", status=wire.status_message(status_with()))
        await call.write(record_pb2.RecordRequest(gateway=told))
        while await console.gateways.statuses() != [status_with()]:
            await asyncio.sleep(0.01)
        call.cancel()


@pytest.mark.parametrize(
    "faulty",
    [
        record_pb2.Event(number=2),
        record_pb2.Event(number=2, started=record_pb2.Started(turn=b"{")),
        record_pb2.Event(number=2, probed=record_pb2.Probed(game_id="g" * 1000)),
    ],
)
async def test_a_faulty_event_costs_nothing(faulty: record_pb2.Event) -> None:
    """It is logged and acknowledged, and the other events of its request are stored."""
    first, _, *others = _game("g", turns=3)
    joined = record_pb2.RecordRequest()
    for request in (first, record_pb2.RecordRequest(events=[faulty]), *others):
        joined.MergeFrom(request)
    async with serving() as (_, stub):
        watch = stub.Watch(record_pb2.WatchRequest())
        await watch.wait_for_connection()
        with capture_logs() as lines:
            assert [response.acknowledged async for response in stub.Record(iter([joined]))][-1] == 5
        [line] = [line for line in lines if line["event"] == "event not taken"]
        assert line["number"] == 2
        assert [(await watch.read()).event.number for _ in range(4)] == [1, 3, 4, 5]
        watch.cancel()


async def test_a_fault_of_the_recorder_costs_its_event_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log has the exception, and the stream goes on."""
    async with serving() as (console, stub):
        take = console.service._recorder.take

        async def fail_once(event: Event) -> Any:
            if isinstance(event, Started):
                raise KeyError("north")
            return await take(event)

        monkeypatch.setattr(console.service._recorder, "take", fail_once)
        with capture_logs() as lines:
            assert [response.acknowledged async for response in stub.Record(iter(_game("g")))][-1] == 4
        [line] = [line for line in lines if line["event"] == "event not taken"]
        assert isinstance(line["exc_info"], KeyError)


async def test_watchers_get_stored_events() -> None:
    """One watches a game and another one all games. Each gets the events in their order, from its call on."""
    async with serving() as (_, stub):
        one, all_games = (stub.Watch(record_pb2.WatchRequest(game_id=game)) for game in ("b", ""))
        for call in (one, all_games):
            await call.wait_for_connection()
        for game in "ab":
            assert [response async for response in stub.Record(iter(_game(game)))]
        events = [(await all_games.read()).event for _ in range(8)]
        assert [event.number for event in events] == [*range(1, 5)] * 2
        kinds = [(await one.read()).event.WhichOneof("kind") for _ in range(4)]
        assert kinds == ["started", "answered", "answered", "ended"]
        assert wire.decode(events[1]) == wire.decode(_game("a")[1].events[0])
        for call in (one, all_games):
            call.cancel()


async def test_too_many_watchers_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The code is RESOURCE_EXHAUSTED. A watcher that leaves makes room."""
    monkeypatch.setattr(feed, "MAX_READERS", 1)
    async with serving() as (console, stub):
        first = stub.Watch(record_pb2.WatchRequest())
        await first.wait_for_connection()
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await stub.Watch(record_pb2.WatchRequest()).read()
        assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        first.cancel()
        while len(console.service._watchers):
            await asyncio.sleep(0.01)


async def test_a_watcher_that_is_too_slow_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its call ends with RESOURCE_EXHAUSTED instead of events with a gap."""
    first, *others = _game("g")
    monkeypatch.setattr(feed, "MAX_WAITING", first.ByteSize() + 99)
    async with serving() as (_, stub):
        watch = stub.Watch(record_pb2.WatchRequest())
        await watch.wait_for_connection()
        assert [response async for response in stub.Record(iter([first, *others]))]
        with pytest.raises(grpc.aio.AioRpcError, match="not read in time") as ended:
            while True:
                await watch.read()
        assert ended.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
