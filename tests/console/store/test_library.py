"""All recorded games, of a database that may be lost."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from console.store import library
from console.store.library import Library
from console.store.records import Header, Position, game_row, record_row
from console.store.results import Wanted
from console.store.store import Store
from tests.console.store.game_samples import Recording, header_with, turn_at
from tests.support.logs import capture_logs

START = datetime(2026, 1, 2, tzinfo=UTC)


def _header(game: str, minute: int) -> Header:
    return header_with(game, seen_at=START + timedelta(minutes=minute), ended_at=START + timedelta(hours=1))


async def _store(store: Store, header: Header, turns: range = range(0)) -> None:
    positions = [Position(turn, [(turn % 11, 0)], [], {}) for turn in turns]
    await store.add([game_row(header), *(record_row(header.id, position) for position in positions)])


async def _names(read: Library, before: str | None = None, limit: int = 10) -> list[str]:
    return [game.id for game in await read.newest(before, limit)]


async def test_games_are_listed_newest_first(recording: Recording) -> None:
    """Each page continues after the previous page."""
    for minute, name in enumerate("abcd"):
        await _store(recording.store, _header(name, minute))
    read = recording.library
    assert await read.count() == 4
    assert await _names(read) == ["d", "c", "b", "a"]
    assert await _names(read, limit=2) == ["d", "c"]
    assert await _names(read, before="c") == ["b", "a"] and await _names(read, before="a") == []
    with pytest.raises(KeyError):
        await read.newest("x", 10)


async def test_only_games_that_are_recorded_are_live(recording: Recording) -> None:
    """A running game is listed with its turns so far. A game of another console is shown as it is stored."""
    await _store(recording.store, _header("elsewhere", 3))
    for number in range(3):
        await recording.started(turn_at(number, "live"))
    await recording.started(turn_at(1, "over"))
    await recording.ended(turn_at(2, "over"))
    read = recording.library
    found = {game.id: game for game in await read.newest(None, 10)}
    assert {name: game.over for name, game in found.items()} == {
        "elsewhere": True,
        "live": False,
        "over": True,
    }
    assert (found["live"].turns, found["live"].result) == (2, None)
    assert read.is_live("live") and not read.is_live("over") and read.playing == 1
    assert [game.id for game in await read.found(Wanted(state="playing"), None, 10)] == ["live"]


@pytest.mark.parametrize(("error", "delay"), [(OSError("lost"), 0.0), (None, 60.0)])
async def test_of_a_lost_database_no_game_is_shown(
    recording: Recording, monkeypatch: pytest.MonkeyPatch, error: Exception | None, delay: float
) -> None:
    """Readers wait for it only briefly, and this is logged. A game that is not read may be there."""

    async def fail(*_: object) -> None:
        await asyncio.sleep(delay)
        if error:
            raise error

    await _store(recording.store, _header("a", 1), range(5))
    read = recording.library
    assert await _names(read) == ["a"]
    monkeypatch.setattr(library, "_PATIENCE", 0.05)
    for name in ("count", "headers", "header"):
        monkeypatch.setattr(recording.store, name, fail)
    with capture_logs() as logs:
        assert await _names(read) == [] and await read.count() == 0
        assert await read.game("a") is None
    with pytest.raises((OSError, TimeoutError)):
        await read.kept("a")
    assert {(line["log_level"], line["event"]) for line in logs} == {("warning", "games not read")}
