"""The games in the store, on SQLite and on a real PostgreSQL."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from console.store.assembly import whole
from console.store.recorder import header_of, position_of
from console.store.records import (
    Bounds,
    GameRow,
    Header,
    Item,
    Removed,
    Renamed,
    ReviewRow,
    game_row,
    record_row,
    unpack,
)
from console.store.schema import GAMES
from console.store.store import Store
from tests.console.store.game_samples import play, recording, turn_at

BOUNDS = Bounds(games=3, bytes=10**9)
NOW = datetime.now(UTC)


async def _rows_of_a_game(game: str) -> list[Item]:
    async with recording() as recorder:
        await play(recorder, range(4), game)
        return recorder.rows


def _game(game: str, age: timedelta = timedelta(), turns: int = 1) -> list[Item]:
    """Return the rows of a game of some age."""
    header = header_of(turn_at(0, game))
    header.seen_at = NOW - age
    return [game_row(header), *(record_row(game, position_of(turn_at(turn, game))) for turn in range(turns))]


async def _names(store: Store) -> list[str]:
    return [header.id for header in await store.headers(None, 100)]


async def _stored(store: Store, rows: Sequence[Item]) -> Header:
    await store.prepare()
    await store.add(rows)
    [header] = await store.headers(None, 10)
    return header


async def test_a_game_is_read_back_as_it_was_recorded(url: str) -> None:
    """The rows of a game make the same game again, turn by turn."""
    rows = await _rows_of_a_game("g")
    async with Store(url) as store:
        header = await _stored(store, rows)
        game = whole(header, map(unpack, await store.records("g")))
        assert header == await store.header("g") and await store.count() == 1
    assert [turn.turn for turn in game.turns] == [0, 1, 2, 3, 4]
    assert [sum(map(bool, turn.decisions)) for turn in game.turns] == [1, 1, 1, 1, 0]
    assert game.over and header.ended_at is not None and header.turns == 4


@pytest.mark.parametrize(
    ("bounds", "left"),
    [
        (BOUNDS, ["g0", "g1", "g2"]),
        (Bounds(games=100, bytes=1), []),
        (Bounds(games=100, bytes=10**9), ["g0", "g1", "g2", "g3", "g4"]),
    ],
    ids=["games", "bytes", "none"],
)
async def test_old_games_make_room(url: str, bounds: Bounds, left: list[str]) -> None:
    """The oldest games that exceed the bounds are removed with their records."""
    async with Store(url, bounds) as store:
        await store.prepare()
        rows = [row for days in range(5) for row in _game(f"g{days}", timedelta(days=days))]
        await store.add(rows)
        await store.tidy()
        assert await _names(store) == left
        assert [bool(await store.records(f"g{days}")) for days in range(5)] == [
            f"g{days}" in left for days in range(5)
        ]


async def _sizes(store: Store) -> dict[str, int]:
    async with store._engine.connect() as connection:
        return {game: size for game, size in await connection.execute(select(GAMES.c.id, GAMES.c.bytes))}


async def test_a_bound_in_bytes_counts_headers_and_records(url: str) -> None:
    """Of games of the same size, as many stay as the bytes hold."""
    async with Store(url) as store:
        await store.prepare()
        for days in range(4):
            await store.add(_game(f"g{days}", timedelta(days=days), turns=10))
        [header, *_] = _game("g0")
        assert isinstance(header, GameRow)
        size = len(header.header) + sum(map(len, await store.records("g0")))
        assert set((await _sizes(store)).values()) == {size}
        await store.prune(Bounds(games=100, bytes=2 * size + size // 2))
        assert await _names(store) == ["g0", "g1"]


async def test_each_row_counts_once(url: str) -> None:
    """A row that is added again, by a retry or a second gateway, adds nothing; a newer header its growth."""
    rows = _game("g", turns=3)
    header = header_of(turn_at(0, "g"))
    header.winner = "somebody with a long name"
    async with Store(url) as one, Store(url) as two:
        for store in (one, two, one):
            await store.prepare()
            await store.add([*rows, *rows[1:], *_game("g", turns=5)])
        await one.add([game_row(header)])
        records = sum(map(len, await one.records("g")))
        assert await _sizes(one) == {"g": len(game_row(header).header) + records}


async def test_the_first_course_of_a_game_is_kept_under_a_new_id(url: str) -> None:
    """Rows before a renaming belong to the new id and later rows to the old one, also if they come again."""
    first, second = _game("g", timedelta(hours=1), turns=6), _game("g", turns=3)
    async with Store(url) as store:
        await store.prepare()
        await store.add(first[:4])
        batch = [*first[4:], Renamed("g", "g again"), *second]
        for _ in range(2):
            await store.add(batch)
        assert await _names(store) == ["g", "g again"]
        assert [len(await store.records(game)) for game in ("g", "g again")] == [3, 6]
        header = await store.header("g again")
        assert header is not None and header.id == "g again"
        assert (await _sizes(store))["g again"] > (await _sizes(store))["g"]


async def test_reading_does_not_wait_for_a_writer(url: str) -> None:
    """A list is read while a transaction of another store is open, also by a command that begins then."""
    async with Store(url) as store, Store(url) as other:
        await _stored(store, _game("g"))
        async with other._engine.begin():
            async with asyncio.timeout(3):
                await store.prepare(creates=False)
                assert await _names(store) == ["g"]


@pytest.mark.parametrize("turns", [1, 2])
async def test_only_a_game_of_one_turn_is_removed_as_a_check(url: str, turns: int) -> None:
    """Rows of the same batch belong to the next game of the id."""
    async with Store(url, BOUNDS) as store:
        await _stored(store, _game("g", turns=turns))
        await store.add([Removed("g")])
        assert (await store.count(), len(await store.records("g"))) == ((1, 2) if turns == 2 else (0, 0))
        await store.add([Removed("g"), *_game("g", turns=3)])
        assert (await store.count(), len(await store.records("g"))) == (1, 3)


async def test_a_review_is_read_back_and_replaced(url: str) -> None:
    """It belongs to a snake of a game."""
    async with Store(url, BOUNDS) as store:
        await _stored(store, [*_game("a"), ReviewRow("a", "s", 1, b"{}")])
        assert await store.review("a", "s") == ReviewRow("a", "s", 1, b"{}")
        assert await store.review("a", "other") is None
        newer = ReviewRow("a", "s", 9, b'{"turn": 1}')
        await store.add([ReviewRow("a", "s", 5, b"[]"), newer])
        assert await store.review("a", "s") == newer


async def test_a_review_is_renamed_and_removed_with_its_game(url: str) -> None:
    """In the same batch, and later."""
    async with Store(url, BOUNDS) as store:
        await _stored(store, [*_game("a"), ReviewRow("a", "s", 1, b"{}"), Renamed("a", "b")])
        assert await store.review("b", "s") == ReviewRow("b", "s", 1, b"{}")
        await store.add([Renamed("b", "c")])
        assert (await store.review("b", "s"), await store.review("c", "s")) == (
            None,
            ReviewRow("c", "s", 1, b"{}"),
        )
        await store.prune(Bounds(games=0, bytes=0))
        assert await store.review("c", "s") is None
