"""Events are published after the answer, to every subscriber, whatever becomes of the others."""

import asyncio
from contextvars import ContextVar

from gateway.game.events import Event, Events, Probed, Started
from tests.console.store.outcome_samples import choice, recorded
from tests.support.logs import capture_logs

TURN = recorded("standard-move-mid-42")


def _started() -> Started:
    return Started(TURN, choice())


async def test_an_event_is_published_later_and_in_order() -> None:
    """The caller continues first, and then every subscriber gets every event."""
    first: list[Event] = []
    second: list[Event] = []
    async with Events([first.append, second.append]) as published:
        sent: list[Event] = [_started(), Probed(TURN.game.id, TURN, choice())]
        for event in sent:
            published.publish(event)
        assert first == []
        async with asyncio.timeout(5):
            while len(second) < 2:
                await asyncio.sleep(0.005)
    assert first == second == sent


async def test_a_flush_publishes_at_once() -> None:
    """An /end needs it, because its event must be on disk before the answer."""
    taken: list[Event] = []
    async with Events([taken.append]) as published:
        published.publish(_started())
        published.flush()
        assert len(taken) == 1


async def test_an_event_is_taken_in_the_context_of_its_request() -> None:
    """Lines of the log name the trace of the request in which something has happened."""
    name: ContextVar[str] = ContextVar("name", default="")
    taken: list[str] = []
    async with Events([lambda _event: taken.append(name.get())]) as published:
        for request in ("first", "second"):
            name.set(request)
            published.publish(_started())
    assert taken == ["first", "second"]


async def test_a_faulty_subscriber_stops_no_other() -> None:
    """Its fault is logged; the next event reaches it again."""
    taken: list[Event] = []

    def faulty(event: Event) -> None:
        raise RuntimeError("broken")

    with capture_logs() as lines:
        async with Events([faulty, taken.append]) as published:
            published.publish(_started())
            published.publish(_started())
    assert len(taken) == 2
    assert [line["event"] for line in lines] == ["event not taken"] * 2
