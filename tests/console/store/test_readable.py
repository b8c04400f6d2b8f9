"""Rows that are damaged or of a newer version, on SQLite and on a real PostgreSQL."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from sqlalchemy import update

from console.experiments.games import read_games, read_running
from console.store import library, records
from console.store.library import Library
from console.store.live import LiveGames
from console.store.recorder import header_of, position_of
from console.store.records import ReviewRow, game_row, pack, record_row
from console.store.results import Wanted
from console.store.schema import GAME_RECORDS, GAME_REVIEWS, GAMES, OUTCOMES
from console.store.store import Store
from tests.console.store.game_samples import turn_at
from tests.console.store.outcome_samples import outcome_with
from tests.support.logs import capture_logs

NOW = datetime.now(UTC)
NEWER = msgspec.msgpack.encode({"type": "a newer kind", "turn": 1})
DAMAGED = b"\xc1"


@pytest.fixture(autouse=True)
def _nothing_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "_told", set())


async def _filled(store: Store) -> None:
    """Store six games, of which two have unreadable headers, and one an unreadable record and review."""
    await store.prepare()
    for number in range(6):
        header = header_of(turn_at(0, f"g{number}"))
        header.seen_at = NOW - timedelta(minutes=number)
        records = [record_row(header.id, position_of(turn_at(turn, header.id))) for turn in range(3)]
        await store.add([game_row(header), *records, ReviewRow(header.id, "s", 3, b"{}")])
    async with store._engine.begin() as connection:
        games, records_, reviews = GAMES.c, GAME_RECORDS.c, GAME_REVIEWS.c
        await connection.execute(update(GAMES).where(games.id == "g1").values(header=NEWER))
        await connection.execute(update(GAMES).where(games.id == "g2").values(header=DAMAGED))
        is_second = (records_.game_id == "g3") & (records_.turn == 1)
        await connection.execute(update(GAME_RECORDS).where(is_second).values(record=pack(NEWER)))
        is_last = (records_.game_id == "g3") & (records_.turn == 2)
        await connection.execute(update(GAME_RECORDS).where(is_last).values(record=DAMAGED))
        await connection.execute(update(GAME_REVIEWS).where(reviews.game_id == "g3").values(review=DAMAGED))


async def test_an_unreadable_game_leaves_the_others(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists are as long as asked for, filters read on behind it, and each table is told once."""
    monkeypatch.setattr(library, "_BATCH", 2)
    with capture_logs() as lines:
        async with Store(url) as store:
            await _filled(store)
            for limit, expected in ((1, ["g0"]), (2, ["g0", "g3"]), (9, ["g0", "g3", "g4", "g5"])):
                assert [header.id for header in await store.headers(None, limit)] == expected
            assert await store.header("g1") is None
            assert await store.review("g3", "s") is None and await store.review("g4", "s") is not None
            read = Library(LiveGames(), store)
            assert [game.id for game in await read.found(Wanted(), None, 9)] == ["g0", "g3", "g4", "g5"]
            game = await read.game("g3")
            assert game is not None and [turn.turn for turn in game.turns if turn.snakes] == [0]
            assert await read.game("g1") is None
            assert await read.kept("g3") != (None, set())
            assert await read_running(store, NOW)
    told = [line["table"] for line in lines if line["event"] == "rows that can't be read are left out"]
    assert sorted(told) == ["game_records", "game_reviews", "games"]


async def test_an_unreadable_outcome_leaves_the_report(url: str) -> None:
    """A newer version may have other results, and a file may be damaged."""
    async with Store(url) as store:
        await store.prepare()
        await store.add([outcome_with(game_id=name) for name in ("good", "newer", "damaged")])
        async with store._engine.begin() as connection:
            for name, values in (("newer", {"result": "abandoned"}), ("damaged", {"shadows": [1]})):
                await connection.execute(update(OUTCOMES).where(OUTCOMES.c.game_id == name).values(values))
        with capture_logs() as lines:
            assert [game.game_id for game in await read_games(store)] == ["good"]
    assert [line["table"] for line in lines] == ["outcomes"]
