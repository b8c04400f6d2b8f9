"""The events of live games."""

import pytest

from console.store import feed
from console.store.feed import Feed, TooManyReadersError


async def test_a_slow_reader_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that takes nothing is dropped, and holds no more bytes than its bound. Others go on."""
    monkeypatch.setattr(feed, "MAX_WAITING", 30)
    events = Feed()
    with events.reading("a") as slow, events.reading("a") as other:
        for number in range(10):
            events.offer("a", lambda: b"0123456789")
            assert await other.next() == b"0123456789"
            assert slow.is_dropped == (number > 2)
        assert slow._events.qsize() == 3 and not other.is_dropped


def test_there_are_only_so_many_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    """One reader too many is refused until another reader has left."""
    monkeypatch.setattr(feed, "MAX_READERS", 1)
    events = Feed()
    with events.reading("a"), pytest.raises(TooManyReadersError), events.reading("b"):
        pass
    with events.reading("b"):
        pass
