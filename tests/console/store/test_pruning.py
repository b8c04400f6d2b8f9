"""The bounds of the tables, on SQLite and on a real PostgreSQL."""

from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import func, select

from battlesnake_search.record.outcome import Outcome
from console.store import pruning
from console.store.database import read_database
from console.store.pruning import Growth, prune_outcomes
from console.store.recorder import header_of
from console.store.records import Bounds, ReviewRow, game_row
from console.store.store import Store
from tests.console.store.game_samples import turn_at
from tests.console.store.outcome_samples import OUTCOME, outcome_with, stored_outcomes
from tests.support.logs import capture_logs

LARGE = 10_000
"""The size of a forged opponent's name, far larger than a row of a real game."""


def _name(number: int) -> str:
    # PostgreSQL compresses texts, so the sizes are those of random ones.
    return "".join(Random(number).choices("abcdefghijklmnopqrstuvwxyz0123456789", k=LARGE))


def _forged(number: int) -> list[Outcome]:
    return [
        outcome_with(game_id=f"forged{each:03}", opponents=[_name(each)], moves=0, seen_from=None)
        for each in range(number)
    ]


def _older(hours: int, **fields: object) -> Outcome:
    return outcome_with(game_id=f"{hours:03}", ended_at=OUTCOME.ended_at - timedelta(hours=hours), **fields)


async def _names(url: str) -> list[str]:
    return [row["game_id"] for row in await stored_outcomes(url)]


async def test_forged_ends_do_not_push_out_real_games(url: str) -> None:
    """Rows without a move go before older rows of games that were played."""
    real = [_older(hours) for hours in range(100)]
    async with Store(url, outcomes_bytes=500_000) as store:
        await store.prepare()
        await store.add([*real, *_forged(100)])
        with capture_logs() as lines:
            await store.tidy()
            await store.tidy()
    names = await _names(url)
    assert [one.game_id for one in real] == [name for name in names if not name.startswith("forged")]
    assert 10 < len(names) - len(real) < 50
    [line] = [line for line in lines if line["event"] == "old outcomes are removed"]
    assert (line["number"], line["log_level"]) == (200 - len(names), "warning")


async def test_the_oldest_of_the_least_used_go_first(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """First rows without a move, then rows without the first turn, each in the order of their ends."""
    monkeypatch.setattr(pruning, "_AT_ONCE", 1)
    rows = [
        _older(9),
        _older(1),
        _older(8, seen_from=3),
        _older(2, seen_from=3),
        _older(7, moves=0, seen_from=None),
        _older(3, moves=0),
    ]
    going = ["007", "003", "008", "002", "009", "001"]
    async with Store(url) as store:
        await store.prepare()
        await store.add(rows)
        for number in range(len(going)):
            assert await _names(url) == sorted(going[number:])
            total = await _total(store)
            assert await prune_outcomes(store._engine, total) == 0
            # The excess and a tenth are less than two rows.
            assert await prune_outcomes(store._engine, total - 1) == 1
    assert await _names(url) == []


async def _total(store: Store) -> int:
    async with store._engine.connect() as connection:
        return await connection.scalar(select(func.sum(pruning._size(connection)))) or 0


async def test_reviews_count(url: str) -> None:
    """A game's reviews have a share of its size."""
    random = Random(1)
    async with Store(url) as store:
        await store.prepare()
        for number in range(3):
            header = header_of(turn_at(0, f"g{number}"))
            await store.add([game_row(header)])
            await store.add([ReviewRow(f"g{number}", "s", 1, random.randbytes(100_000))])
        await store.prune(Bounds(games=100, bytes=250_000))
        assert [header.id for header in await store.headers(None, 9)] == ["g2", "g1"]
        assert await store.review("g0", "s") is None and await store.review("g1", "s") is not None


def test_a_removal_is_due_after_a_minute_or_much_growth() -> None:
    """Without growth there is nothing to remove, but the bounds may be new at the start."""
    growth = Growth(Bounds(games=10, bytes=10_000), 20_000)
    assert not growth.is_due(100.0) and not growth.is_due(159.0)
    assert growth.is_due(160.0)
    assert not growth.is_due(1000.0)
    growth.add(100)
    assert growth.is_due(1000.0)
    growth.add(100)
    assert not growth.is_due(1001.0)
    growth.add(500)
    assert growth.is_due(1001.0)
    growth.add(1, games=11)
    assert growth.is_due(1002.0)


async def test_a_file_shrinks_after_a_flood(tmp_path: Path) -> None:
    """The pages of removed rows leave the file, and its log stays small."""
    file = tmp_path / "outcomes.sqlite"
    async with Store(read_database(str(file)).url, outcomes_bytes=1_000_000) as store:
        await store.prepare()
        for _ in range(2):
            await store.add(_forged(2000))
            flooded = file.stat().st_size
            await store.tidy()
            # The log is cut at its next use after all of it is in the file.
            for _ in range(3):
                await store.add([OUTCOME])
            assert flooded > 10_000_000
            assert file.stat().st_size < 3_000_000
            assert Path(f"{file}-wal").stat().st_size < 17_000_000
