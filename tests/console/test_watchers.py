"""The watchers of stored events: which events they get, and their bounds."""

import pytest

from battlesnake_search.record.events import BrokenOff, Started
from console import watchers
from console.watchers import TooManyWatchersError, TooSlowError, Watchers
from tests.console.store.game_samples import ARM, turn_at
from tests.console.store.outcome_samples import OUTCOME


async def test_a_watcher_gets_the_events_of_its_game() -> None:
    """A watcher of all games gets the events of each game, with their numbers."""
    every = Watchers()
    with every.watching("b") as one, every.watching("") as all_games:
        every.publish(Started(turn_at(0, "a"), ARM), 1)
        every.publish(BrokenOff("b", "c", OUTCOME), 2)
        event = (await one.next()).event
        assert (event.number, event.broken_off.new_id) == (2, "c")
        assert [(await all_games.next()).event.number for _ in range(2)] == [1, 2]


async def test_a_slow_watcher_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """It gets an error instead of events with a gap. Other watchers go on."""
    every = Watchers()
    with every.watching("") as slow, every.watching("b") as other:
        every.publish(Started(turn_at(0, "a"), ARM), 1)
        monkeypatch.setattr(watchers, "MOST_BYTES", 10)
        every.publish(Started(turn_at(0, "a"), ARM), 2)
        with pytest.raises(TooSlowError):
            await slow.next()
        monkeypatch.setattr(watchers, "MOST_BYTES", 10_000)
        every.publish(Started(turn_at(0, "b"), ARM), 3)
        assert (await other.next()).event.number == 3


def test_watchers_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """One beyond the limit is refused, and accepted after another one has left."""
    monkeypatch.setattr(watchers, "MOST_WATCHERS", 1)
    every = Watchers()
    with every.watching(""), pytest.raises(TooManyWatchersError), every.watching("a"):
        pass
    with every.watching("a"):
        pass
