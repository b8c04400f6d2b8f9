"""The store on SQLite and on a real PostgreSQL."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, create_engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from battlesnake_search.board import Turn
from gateway.game.game import Game
from gateway.game.outcome import outcome_of
from gateway.game.values import Outcome
from gateway.store import migrations
from gateway.store.database import OutcomesDatabase, read_database
from gateway.store.outcome_store import Store
from gateway.store.reader import read
from gateway.store.schema import METADATA, OUTCOMES
from tests.gateway.store.outcome_samples import OUTCOME, choice, outcome_with
from tests.gateway.turn_strategies import any_turn

NEWER = {"control", "shares", "setup", "searched", "mean_latency_ms"}
"""The columns that later versions have added."""


async def _stored(url: str) -> list[dict[str, Any]]:
    return await read(url, OUTCOMES.c.keys(), ["game_id"])


async def test_stored_outcomes_are_read_back(url: str) -> None:
    """Every field is read back as it was stored, known or unknown."""
    unknown = outcome_with(
        game_id="other",
        result=None,
        place=None,
        timeouts=None,
        mean_depth=None,
        seen_from=None,
        **dict.fromkeys(NEWER),
    )
    async with Store(url) as store:
        await store.prepare()
        await store.add([OUTCOME, unknown])
        rows = await _stored(url)
    for row, expected in zip(rows, [OUTCOME, unknown], strict=True):
        # SQLite keeps the time without its zone, which is UTC.
        assert row.pop("ended_at").replace(tzinfo=None) == expected.ended_at.replace(tzinfo=None)
        assert row == {name: msgspec.to_builtins(getattr(expected, name)) for name in row}


async def test_an_outcome_is_stored_once(url: str) -> None:
    """A stored outcome stays as it is when it is added again, in one batch or in another."""
    async with Store(url) as store:
        await store.prepare()
        await store.add([OUTCOME, outcome_with(turns=1), outcome_with(snake_id="second")])
        await store.add([outcome_with(turns=2), outcome_with(game_id="other")])
        rows = await _stored(url)
    found = {(row["game_id"], row["snake_id"], row["turns"]) for row in rows}
    assert found == {("game", "snake", 100), ("game", "second", 100), ("other", "snake", 100)}
    assert len(rows) == 3


async def test_a_batch_is_stored_whole_or_not_at_all(url: str) -> None:
    """If the database refuses one outcome, it stores none of the batch."""
    refused: Outcome = outcome_with(game_id="refused", snake=None)
    async with Store(url) as store:
        await store.prepare()
        with pytest.raises(SQLAlchemyError):
            await store.add([OUTCOME, refused])
        assert await _stored(url) == []


async def test_stores_may_be_prepared_concurrently(url: str) -> None:
    """Gateways that start together create the schema once, and all of them can write."""
    async with Store(url) as one, Store(url) as two, Store(url) as three:
        await asyncio.gather(*(store.prepare() for store in (one, two, three)))
        await asyncio.gather(*(store.add([OUTCOME]) for store in (one, two, three)))
        assert len(await _stored(url)) == 1
        await one.prepare()
        assert len(await _stored(url)) == 1


def test_the_migrations_create_the_table_of_the_code(url: str) -> None:
    """Alembic finds no difference between the migrated database and the table of the code."""

    async def differences() -> list[object]:
        async with Store(url) as store:
            await store.prepare()
            async with store._engine.connect() as connection:
                return await connection.run_sync(_differences)

    assert asyncio.run(differences()) == []


async def test_older_outcomes_survive_the_upgrade(database: OutcomesDatabase) -> None:
    """A row of the first version is read before the upgrade as after it; what was not recorded is None."""
    sample = msgspec.structs.asdict(outcome_with(shadows={}))
    old = {name: value for name, value in sample.items() if name not in NEWER}
    if database.url.startswith("sqlite"):
        Path(database.text).parent.mkdir(parents=True)
    async with Store(database.url) as store:
        async with store._engine.begin() as connection:
            await connection.run_sync(lambda one: command.upgrade(migrations.config(one), "0001"))
            await connection.execute(OUTCOMES.insert().values(old))
        [before] = await _stored(database.url)
        await store.prepare()
        [after] = await _stored(database.url)
    assert before == after and (after["game_id"], after["result"]) == ("game", "win")
    assert {after[name] for name in NEWER} == {None}


def _differences(connection: Connection) -> list[object]:
    found: list[object] = compare_metadata(MigrationContext.configure(connection), METADATA)
    return found


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(turns=st.lists(any_turn(), min_size=5, max_size=15))
def test_the_outcome_of_any_valid_end_can_be_stored(url: str, turns: list[Turn]) -> None:
    """The database accepts the outcome of every valid /end."""
    ended = [outcome_of(Game(turn), turn, choice())[0] for turn in turns]

    async def store_them() -> set[tuple[str, str]]:
        async with Store(url) as store:
            await store.prepare()
            await store.add(ended)
        return {(row["game_id"], row["snake_id"]) for row in await _stored(url)}

    assert {(one.game_id, one.snake_id) for one in ended} <= asyncio.run(store_them())


async def test_sqlite_is_durable_and_readable_while_written(tmp_path: Path) -> None:
    """The file is in write-ahead mode, each commit is synced, and others can read during a transaction."""
    file = tmp_path / "outcomes.sqlite"
    async with Store(read_database(str(file)).url) as store:
        await store.prepare()
        async with store._engine.connect() as connection:
            for pragma, expected in (("journal_mode", "wal"), ("synchronous", 2)):
                found = await connection.exec_driver_sql(f"PRAGMA {pragma}")
                assert found.scalar() == expected
        reader = create_engine(f"sqlite:///{file}")
        async with store._engine.begin() as connection:
            await connection.execute(
                OUTCOMES.insert(), [msgspec.structs.asdict(outcome_with(shadows={}, searched={}))]
            )
            with reader.connect() as other:
                assert other.execute(select(func.count()).select_from(OUTCOMES)).scalar() == 0
        reader.dispose()


async def test_reading_creates_no_file(tmp_path: Path) -> None:
    """A missing file is an error that names it."""
    file = tmp_path / "outcomes.sqlite"
    with pytest.raises(FileNotFoundError, match=str(file)):
        await read(read_database(str(file)).url, ["game_id"], ["game_id"])
    assert not file.exists()


def test_a_password_is_hidden() -> None:
    """The store's name, which is logged, doesn't have the password."""
    store = Store(read_database("postgresql://me:secret@localhost/games").url)
    assert store.name == "postgresql://me:***@localhost/games"


def test_a_file_is_named_by_its_path() -> None:
    """The store's name is what people know it by."""
    assert Store(read_database("/data/outcomes.sqlite").url).name == "/data/outcomes.sqlite"
