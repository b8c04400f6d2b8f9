"""The events of live games."""

from console.store.feed import Feed


async def test_events_reach_the_readers_of_their_topic() -> None:
    """An event is JSON with a name, in the form of server-sent events."""
    events = Feed()
    with events.reading("a") as one, events.reading("a") as two, events.reading("b") as other:
        events.publish("a", "turn", {"turn": 1})
        assert await one.next(1) == await two.next(1) == b'event: turn\ndata: {"turn":1}\n\n'
        assert (await other.next(0.01)).startswith(b":")
        assert not one.is_dropped and not other.is_dropped
    assert len(events) == 0


async def test_a_slow_reader_is_dropped() -> None:
    """A reader that takes nothing is dropped, and holds no more events than its bound."""
    events = Feed()
    with events.reading("a") as slow:
        for number in range(1000):
            events.publish("a", "turn", {"turn": number})
        assert slow.is_dropped
        assert slow._events.qsize() < 1000
