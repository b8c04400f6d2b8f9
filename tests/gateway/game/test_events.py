"""Events are published after the answer, to every subscriber, whatever becomes of the others."""

import asyncio
from contextvars import ContextVar
from pathlib import Path

import pytest
from aiohttp.test_utils import TestClient, TestServer

from battlesnake_search.record import events as recorded_events
from console.store.database import read_database
from console.store.recorder import GameRecorder, OutcomeRecorder
from gateway.app import build
from gateway.game import events
from gateway.game.events import Answered, Asked, Ended, Event, Events, Probed, Started
from gateway.game.log import GameLog
from gateway.metrics import Metrics
from gateway.settings import Settings
from tests.console.store.outcome_samples import choice, recorded
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import ScriptedService, body
from tests.support.logs import capture_logs

TURN = recorded("standard-move-mid-42")


def _asked() -> Asked:
    return Asked(TURN, choice())


async def test_an_event_is_published_later_and_in_order() -> None:
    """The caller continues first, and then every subscriber gets every event."""
    first: list[Event] = []
    second: list[Event] = []
    async with Events([first.append, second.append]) as published:
        sent: list[Event] = [_asked(), Probed(TURN, choice())]
        for event in sent:
            published.publish(event)
        assert first == []
        async with asyncio.timeout(5):
            while len(second) < 2:
                await asyncio.sleep(0.005)
    assert first == second == sent


async def test_leaving_publishes_the_rest() -> None:
    """No event is lost when the gateway ends."""
    taken: list[Event] = []
    async with Events([taken.append]) as published:
        published.publish(_asked())
    assert len(taken) == 1


async def test_events_are_published_one_right_after_the_other() -> None:
    """Other tasks run between two events, without a timer."""
    taken: list[Event] = []
    turns: list[int] = []
    async with Events([taken.append, lambda _event: turns.append(others)]) as published, asyncio.timeout(10):
        others = 0
        for _ in range(200):
            published.publish(_asked())
        while len(taken) < 200:
            others += 1
            await asyncio.sleep(0)
    assert len(set(turns)) > 100


async def test_an_event_is_taken_in_the_context_of_its_request() -> None:
    """Lines of the log name the trace of the request in which something has happened."""
    name: ContextVar[str] = ContextVar("name", default="")
    taken: list[str] = []
    async with Events([lambda _event: taken.append(name.get())]) as published:
        for request in ("first", "second"):
            name.set(request)
            published.publish(_asked())
    assert taken == ["first", "second"]


async def test_the_end_leaves_no_task_behind() -> None:
    """Without events, no task publishes."""
    before = asyncio.all_tasks()
    async with Events():
        assert len(asyncio.all_tasks() - before) == 1
    assert asyncio.all_tasks() == before


async def test_a_faulty_subscriber_stops_no_other() -> None:
    """Its fault is logged; the next event reaches it again."""
    taken: list[Event] = []

    def faulty(event: Event) -> None:
        raise RuntimeError("broken")

    with capture_logs() as lines:
        async with Events([faulty, taken.append]) as published:
            published.publish(_asked())
            published.publish(_asked())
    assert len(taken) == 2
    assert [line["event"] for line in lines] == ["event not taken"] * 2


async def test_ends_are_kept_when_too_many_events_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """An outcome is worth more than the turns of a game. The bytes of both are bounded."""
    monkeypatch.setattr(events, "MOST_BYTES", 2 * TURN.size)
    taken: list[Event] = []
    async with Events([taken.append]) as published:
        for _ in range(5):
            published.publish(_asked())
        for _ in range(5):
            published.publish(Probed(TURN, choice()))
    assert [type(event) for event in taken] == [Asked, Asked, Probed, Probed]
    assert published.dropped == 6
    async with Events([taken.append]) as published:
        published.publish(_asked())
        await asyncio.sleep(0.1)
        published.publish(_asked())
    assert len(taken) == 6


TOLD = {Started, Asked, Answered, Ended}
RECORDED = {recorded_events.Started, recorded_events.Asked, recorded_events.Answered, recorded_events.Ended}
SUBSCRIBERS = [(Metrics, TOLD), (GameLog, TOLD), (GameRecorder, RECORDED), (OutcomeRecorder, RECORDED)]


@pytest.mark.parametrize(("subscriber", "kinds"), SUBSCRIBERS, ids=[one.__name__ for one, _ in SUBSCRIBERS])
async def test_a_fault_in_any_subscriber_costs_no_move(
    subscriber: type, kinds: set[type], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each in turn fails at every event, and every request is answered as before."""
    failed: list[object] = []

    def fail(_self: object, event: object) -> None:
        failed.append(event)
        raise RuntimeError("injected")

    monkeypatch.setattr(subscriber, "take", fail)
    service = ScriptedService(scripted_searcher.at_once)
    database = read_database(str(tmp_path / "outcomes.sqlite"))
    with capture_logs():
        async with (
            scripted_searcher.searcher(service) as target,
            TestClient(TestServer(build(Settings(searcher=target, outcomes=database)))) as client,
        ):
            for path in ("/start", "/move", "/move", "/end"):
                sent = body("standard-move-mid-42")
                sent["turn"] += path == "/end"
                async with client.post(path, json=sent) as answer:
                    assert answer.status == 200
                    assert await answer.json() == ({"move": "up"} if path == "/move" else {})
    assert {type(event) for event in failed} == kinds
    assert len(service.requests) == 1
