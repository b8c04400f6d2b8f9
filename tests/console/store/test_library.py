"""All games that are kept, in memory and in a database that may be lost."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from console.store import library
from console.store.late_store import LateStore
from console.store.library import Library
from console.store.memory import KeptGame, Memory
from console.store.records import (
    Header,
    Position,
    Record,
    encode,
    pack,
)
from tests.console.store.game_samples import header_with
from tests.support.logs import capture_logs

START = datetime(2026, 1, 2, tzinfo=UTC)


def _header(game: str, minute: int) -> Header:
    return header_with(game, seen_at=START + timedelta(minutes=minute), ended_at=START + timedelta(hours=1))


def _position(turn: int) -> Position:
    return Position(turn, [(turn % 11, 0)], [], {})


class Shelf(LateStore):
    """A database with the headers and turns of some games. It may fail or hang."""

    def __init__(self, *headers: Header, turns: range = range(0)) -> None:
        self.stored = {header.id: header for header in headers}
        self.turns = turns
        self.error: Exception | None = None
        self.delay = 0.0

    async def _ask(self) -> None:
        await asyncio.sleep(self.delay)
        if self.error:
            raise self.error

    async def prepare(self) -> None:
        """There is nothing to create."""

    async def count(self) -> int:
        """Return the number of games."""
        await self._ask()
        return len(self.stored)

    async def headers(self, before: Header | None, limit: int) -> list[Header]:
        """Return the newest games."""
        await self._ask()
        found = sorted(self.stored.values(), key=lambda header: header.seen_at, reverse=True)
        return [each for each in found if before is None or each.seen_at < before.seen_at][:limit]

    async def header(self, game: str) -> Header | None:
        """Return a game."""
        await self._ask()
        return self.stored.get(game)

    async def records(self, game: str) -> list[bytes]:
        """Return the records of a game."""
        await self._ask()
        records: list[Record] = [_position(turn) for turn in self.turns]
        return [pack(encode(record)) for record in records]


def _kept(memory: Memory, header: Header, turns: range = range(0)) -> KeptGame:
    game = memory.create(header)
    for turn in turns:
        memory.add(game, encode(_position(turn)))
    return game


async def _names(read: Library, before: str | None = None, limit: int = 10) -> list[str]:
    return [game.id for game in await read.newest(before, limit)]


async def test_games_of_memory_and_database_are_one_list() -> None:
    """A game in both is shown once, and each page continues after the previous page."""
    memory = Memory(10)
    for name, minute in (("b", 2), ("d", 4)):
        _kept(memory, _header(name, minute))
    read = Library(memory, Shelf(_header("a", 1), _header("b", 2), _header("c", 3)))
    assert await _names(read) == ["d", "c", "b", "a"]
    assert await _names(read, limit=2) == ["d", "c"]
    assert await _names(read, before="c") == ["b", "a"] and await _names(read, before="a") == []
    assert await _names(read, before="d") == ["c", "b", "a"] and await _names(read, before="b") == ["a"]
    with pytest.raises(KeyError):
        await read.newest("x", 10)


async def test_the_count_is_that_of_the_larger_one() -> None:
    """Memory has no more than the newest games, and all that a lost database would have."""
    memory = Memory(10)
    assert await Library(memory, None).count() == 0
    shelf = Shelf(_header("a", 1), _header("b", 2))
    assert await Library(memory, shelf).count() == 2
    for number in range(3):
        _kept(memory, _header(str(number), number))
    assert await Library(memory, shelf).count() == await Library(memory, None).count() == 3


async def test_a_game_has_the_records_of_both() -> None:
    """Either may lack some, of any number of records."""
    memory = Memory(10)
    header = _header("g", 1)
    _kept(memory, header, range(60, 140))
    read = Library(memory, Shelf(header, turns=range(100)))
    found = await read.game("g")
    assert found is not None and [turn.turn for turn in found.turns] == list(range(140))
    assert all(turn.food == [(turn.turn % 11, 0)] for turn in found.turns)
    only_stored = await Library(Memory(1), Shelf(header, turns=range(33))).game("g")
    assert only_stored is not None and len(only_stored.turns) == 33
    assert await read.game("x") is None and await Library(Memory(1), None).game("g") is None


async def test_a_long_game_takes_no_pauses() -> None:
    """Other tasks run between the records, without a timer."""
    header = _header("g", 1)
    async with asyncio.timeout(5):
        found = await Library(Memory(1), Shelf(header, turns=range(640))).game("g")
    assert found is not None and len(found.turns) == 640


async def test_only_games_in_memory_are_live() -> None:
    """A game that another gateway plays is shown as it is stored."""
    memory = Memory(10)
    live, over = _kept(memory, _header("live", 1)), _kept(memory, _header("over", 2))
    memory.close(over)
    read = Library(memory, Shelf(_header("elsewhere", 3)))
    assert live.is_live and read.live == 1
    assert [(game.id, game.over) for game in await read.newest(None, 10)] == [
        ("elsewhere", True),
        ("over", True),
        ("live", False),
    ]


@pytest.mark.parametrize(("error", "delay"), [(OSError("lost"), 0.0), (None, 60.0)])
async def test_a_lost_database_leaves_what_is_in_memory(
    monkeypatch: pytest.MonkeyPatch, error: Exception | None, delay: float
) -> None:
    """Readers wait for it only briefly, and this is logged."""
    monkeypatch.setattr(library, "_PATIENCE", 0.05)
    memory, shelf = Memory(10), Shelf(_header("a", 1), turns=range(5))
    _kept(memory, _header("b", 2), range(3))
    shelf.error, shelf.delay = error, delay
    read = Library(memory, shelf)
    with capture_logs() as logs:
        assert await _names(read) == ["b"] and await read.count() == 1
        assert await Library(Memory(1), shelf).count() == 0
        found = await read.game("b")
        assert found is not None and len(found.turns) == 3
        assert await read.game("a") is None
    assert {(line["log_level"], line["event"]) for line in logs} == {("warning", "games not read")}
