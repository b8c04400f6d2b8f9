"""The store on SQLite and on a real PostgreSQL."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, create_engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from gateway.bodies import Turn
from gateway.outcomes.record import Outcome, outcome
from gateway.outcomes.schema import METADATA, OUTCOMES
from gateway.outcomes.store import Store
from gateway.outcomes.target import target_of
from tests.gateway.outcomes.endings import SOME, choice, some
from tests.gateway.turns import any_turn


async def _stored(store: Store) -> list[dict[str, object]]:
    return [row._asdict() for row in await store.rows(select(OUTCOMES).order_by(OUTCOMES.c.game_id))]


async def test_what_was_stored_is_found_again(url: str) -> None:
    """Every field comes back as it was, known or not."""
    unknown = some(game_id="other", result=None, place=None, timeouts=None, mean_depth=None, seen_from=None)
    async with Store(url) as store:
        await store.prepare()
        await store.add([SOME, unknown])
        rows = await _stored(store)
    for row, expected in zip(rows, [SOME, unknown], strict=True):
        # SQLite keeps the time without its zone, which is UTC.
        assert row.pop("ended_at").replace(tzinfo=None) == expected.ended_at.replace(tzinfo=None)  # type: ignore[attr-defined]
        assert row == {name: msgspec.to_builtins(getattr(expected, name)) for name in row}


async def test_an_outcome_is_stored_once(url: str) -> None:
    """What is there already stays as it is, twice in a batch or in another one."""
    async with Store(url) as store:
        await store.prepare()
        await store.add([SOME, some(turns=1), some(snake_id="second")])
        await store.add([some(turns=2), some(game_id="other")])
        rows = await _stored(store)
    found = {(row["game_id"], row["snake_id"], row["turns"]) for row in rows}
    assert found == {("game", "snake", 100), ("game", "second", 100), ("other", "snake", 100)}
    assert len(rows) == 3


async def test_a_batch_is_stored_whole_or_not_at_all(url: str) -> None:
    """One outcome that the database refuses keeps the others of its batch out."""
    refused: Outcome = some(game_id="refused", snake=None)
    async with Store(url) as store:
        await store.prepare()
        with pytest.raises(SQLAlchemyError):
            await store.add([SOME, refused])
        assert await _stored(store) == []


async def test_stores_may_be_prepared_at_once(url: str) -> None:
    """Gateways that start together make the schema once, and all can write."""
    async with Store(url) as one, Store(url) as two, Store(url) as three:
        await asyncio.gather(*(store.prepare() for store in (one, two, three)))
        await asyncio.gather(*(store.add([SOME]) for store in (one, two, three)))
        assert len(await _stored(three)) == 1
        await one.prepare()
        assert len(await _stored(one)) == 1


def test_the_migrations_make_the_table_that_is_used(url: str) -> None:
    """Alembic finds no difference between the migrated database and the table of the code."""

    async def differences() -> list[object]:
        async with Store(url) as store:
            await store.prepare()
            async with store._engine.connect() as connection:
                return await connection.run_sync(_differences)

    assert asyncio.run(differences()) == []


def _differences(connection: Connection) -> list[object]:
    found: list[object] = compare_metadata(MigrationContext.configure(connection), METADATA)
    return found


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(turns=st.lists(any_turn(), min_size=20, max_size=50))
def test_whatever_can_be_read_can_be_stored(url: str, turns: list[Turn]) -> None:
    """No /end that the gateway understands is refused by the database."""
    ended = [outcome(turn, None, choice()) for turn in turns]

    async def store_them() -> set[tuple[object, ...]]:
        async with Store(url) as store:
            await store.prepare()
            await store.add(ended)
            return set(map(tuple, await store.rows(select(OUTCOMES.c.game_id, OUTCOMES.c.snake_id))))

    assert {(one.game_id, one.snake_id) for one in ended} <= asyncio.run(store_them())


async def test_sqlite_keeps_what_was_committed(tmp_path: Path) -> None:
    """The file is in write-ahead mode, each commit is on the disk, and others may read meanwhile."""
    file = tmp_path / "outcomes.sqlite"
    async with Store(target_of(str(file)).url) as store:
        await store.prepare()
        async with store._engine.connect() as connection:
            for pragma, expected in (("journal_mode", "wal"), ("synchronous", 2)):
                found = await connection.exec_driver_sql(f"PRAGMA {pragma}")
                assert found.scalar() == expected
        reader = create_engine(f"sqlite:///{file}")
        async with store._engine.begin() as connection:
            await connection.execute(OUTCOMES.insert(), [msgspec.structs.asdict(some(shadows={}))])
            with reader.connect() as other:
                assert other.execute(select(func.count()).select_from(OUTCOMES)).scalar() == 0
        reader.dispose()


async def test_reading_makes_no_file(tmp_path: Path) -> None:
    """A file that isn't there is an error that names it."""
    file = tmp_path / "outcomes.sqlite"
    async with Store(target_of(str(file)).url) as store:
        with pytest.raises(FileNotFoundError, match=str(file)):
            await store.rows(select(OUTCOMES))
    assert not file.exists()


def test_a_password_is_not_told() -> None:
    """The store's name, which is logged, hides the password."""
    store = Store(target_of("postgresql://me:secret@localhost/games").url)
    assert "secret" not in store.name and "localhost/games" in store.name
