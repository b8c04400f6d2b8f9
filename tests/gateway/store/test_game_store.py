"""The store of recorded games, on SQLite and on a real PostgreSQL."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from gateway.replay.assembly import whole
from gateway.store.game_store import GameStore
from gateway.store.observation import header_of, position_of
from gateway.store.records import Header, unpack
from gateway.store.rows import Bounds, Row, game_row, record_row
from tests.gateway.store.game_samples import Recording, play, turn_at

BOUNDS = Bounds(games=3, days=7, bytes=10**9)
NOW = datetime.now(UTC)


def _rows_of_a_game(game: str) -> list[Row]:
    recording = Recording()
    play(recording, range(4), game)
    return recording.rows


def _game(game: str, age: timedelta = timedelta(), turns: int = 1) -> list[Row]:
    """Return the rows of a game of some age."""
    header = header_of(turn_at(0, game))
    header.seen_at = NOW - age
    return [game_row(header), *(record_row(game, position_of(turn_at(turn, game))) for turn in range(turns))]


async def _names(store: GameStore) -> list[str]:
    return [header.id for header in await store.headers(None, 100)]


async def _stored(store: GameStore, rows: Sequence[Row]) -> Header:
    await store.prepare()
    await store.add(rows)
    [header] = await store.headers(None, 10)
    return header


async def test_a_game_is_read_back_as_it_was_recorded(url: str) -> None:
    """The rows of a game make the same game again, turn by turn."""
    rows = _rows_of_a_game("g")
    async with GameStore(url) as store:
        header = await _stored(store, rows)
        game = whole(header, map(unpack, await store.records("g")))
        assert header == await store.header("g") and await store.count() == 1
    assert [turn.turn for turn in game.turns] == [0, 1, 2, 3, 4]
    assert [sum(map(bool, turn.decisions)) for turn in game.turns] == [1, 1, 1, 1, 0]
    assert game.over and header.ended_at is not None and header.turns == 4


async def test_a_game_without_an_end_has_its_turns_so_far(url: str) -> None:
    """A list of games has the newest turn of one that was broken off."""
    async with GameStore(url) as store:
        header = await _stored(store, _game("g", turns=8))
    assert header.ended_at is None and header.turns == 7


async def test_rows_that_are_added_again_change_nothing(url: str) -> None:
    """A batch without a confirmation can be added again."""
    rows = _rows_of_a_game("g")
    async with GameStore(url) as store:
        header = await _stored(store, rows)
        before = sorted(await store.records("g"))
        assert await _stored(store, rows) == header
        assert sorted(await store.records("g")) == before


async def test_lists_go_from_new_to_old(url: str) -> None:
    """Games are listed by their age, and a list goes on after any of them."""
    async with GameStore(url) as store:
        await store.prepare()
        for days in (2, 0, 1):
            await store.add(_game(f"g{days}", timedelta(days=days)))
        newest = await store.headers(None, 2)
        assert [header.id for header in newest] == ["g0", "g1"]
        assert [header.id for header in await store.headers(newest[1], 2)] == ["g2"]


@pytest.mark.parametrize(
    ("bounds", "left"),
    [
        (BOUNDS, ["g0", "g1", "g2"]),
        (Bounds(games=100, days=2.5, bytes=10**9), ["g0", "g1", "g2"]),
        (Bounds(games=100, days=100, bytes=1), []),
        (Bounds(games=100, days=100, bytes=10**9), ["g0", "g1", "g2", "g3", "g4"]),
    ],
    ids=["games", "days", "bytes", "none"],
)
async def test_old_games_make_room(url: str, bounds: Bounds, left: list[str]) -> None:
    """The oldest games that exceed the bounds are removed with their records."""
    async with GameStore(url, bounds) as store:
        await store.prepare()
        rows = [row for days in range(5) for row in _game(f"g{days}", timedelta(days=days))]
        await store.add(rows)
        assert await _names(store) == left
        assert [bool(await store.records(f"g{days}")) for days in range(5)] == [
            f"g{days}" in left for days in range(5)
        ]


async def test_a_bound_in_bytes_counts_the_records(url: str) -> None:
    """Of games of the same size, as many stay as the bytes hold."""
    async with GameStore(url) as store:
        await store.prepare()
        for days in range(4):
            await store.add(_game(f"g{days}", timedelta(days=days), turns=10))
        size = sum(map(len, await store.records("g0")))
        await store.prune(Bounds(games=100, days=100, bytes=2 * size + size // 2))
        assert await _names(store) == ["g0", "g1"]


async def test_reading_does_not_wait_for_a_writer(url: str) -> None:
    """A list is read while a transaction of another store is open."""
    async with GameStore(url) as store, GameStore(url) as other:
        await _stored(store, _game("g"))
        async with other._engine.begin():
            async with asyncio.timeout(3):
                assert await _names(store) == ["g"]
