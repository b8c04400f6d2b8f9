"""The schema of the database, as older and newer versions of the gateway leave it."""

import pytest
from sqlalchemy import inspect, text

from console.store.database import file_of, is_incurable
from console.store.recorder import header_of, position_of
from console.store.records import Bounds, game_row, record_row
from console.store.schema import METADATA, SchemaError
from console.store.store import Store
from tests.console.store.game_samples import turn_at
from tests.console.store.outcome_samples import OUTCOME, stored_outcomes

NEEDED = {
    "outcomes": "game_id snake_id snake experiment arm strategy drawn ruleset map width height timeout_ms "
    "opponents turns moves shadows ended_at",
    "games": "id seen_at bytes header",
    "game_records": "game_id turn snake_id record",
    "game_reviews": "game_id snake_id turns review",
}
"""The columns that every version has to write."""


async def _change(store: Store, *statements: str) -> None:
    async with store._engine.begin() as connection:
        for statement in statements:
            await connection.execute(text(statement))


async def test_an_older_version_goes_on_with_a_newer_schema(url: str) -> None:
    """After a rollback, the gateway records and reads as before, and the newer version goes on later."""
    async with Store(url, Bounds(10, 10**9)) as store:
        await store.prepare()
        await _change(
            store,
            "ALTER TABLE outcomes ADD COLUMN later TEXT NOT NULL DEFAULT 'x'",
            "ALTER TABLE games ADD COLUMN later INTEGER",
            "CREATE TABLE later (id INTEGER)",
            "UPDATE alembic_version SET version_num = '9000'",
        )
    async with Store(url, Bounds(10, 10**9)) as store:
        await store.prepare()
        await store.add([OUTCOME])
        played = turn_at(1, "g")
        await store.add([game_row(header_of(played)), record_row("g", position_of(played))])
        assert [header.id for header in await store.headers(None, 5)] == ["g"]
        async with store._engine.connect() as connection:
            assert await connection.scalar(text("SELECT version_num FROM alembic_version")) == "9000"
    assert [game["game_id"] for game in await stored_outcomes(url)] == ["game"]


@pytest.mark.parametrize(
    ("revision", "reason"),
    [
        (
            "9001_from_9000",
            r"a newer version has upgraded its schema to 9001_from_9000, .*: run .*pip install ",
        ),
        ("ae1027a6acf1", r"its table alembic_version is of another program \(revision ae1027a6acf1\)"),
    ],
)
async def test_an_unusable_schema_is_told_with_the_remedy(url: str, revision: str, reason: str) -> None:
    """No attempt can cure a schema that this version can't use."""
    async with Store(url) as store:
        await store.prepare()
        await _change(store, f"UPDATE alembic_version SET version_num = '{revision}'")
        with pytest.raises(SchemaError, match=reason) as raised:
            await store.prepare()
    assert is_incurable(raised.value)


async def test_a_reader_leaves_the_database_of_another_program_alone(url: str) -> None:
    """A wrong address of `python -m console experiments` or `games` gets no tables."""
    async with Store(url) as store:
        if file := file_of(url):
            file.parent.mkdir(parents=True)
        await _change(store, "CREATE TABLE other (id INTEGER)")
        with pytest.raises(SchemaError, match="no console has recorded games in it"):
            await store.prepare(creates=False)
        async with store._engine.connect() as connection:
            tables = await connection.run_sync(lambda one: inspect(one).get_table_names())
    assert tables == ["other"]


async def test_a_schema_that_names_an_older_version_is_usable(url: str) -> None:
    """The id has the oldest revision whose code can use the schema."""
    async with Store(url) as store:
        await store.prepare()
        await _change(store, "UPDATE alembic_version SET version_num = '9001_from_0007'")
        await store.prepare()
        await store.add([OUTCOME])


def test_later_versions_only_add_what_older_ones_need_not_write() -> None:
    """A column that older gateways lack may be null or has a default."""
    needed = {
        table.name: {
            column.name for column in table.c if not column.nullable and column.server_default is None
        }
        for table in METADATA.tables.values()
    }
    assert {name: needed[name] for name in NEEDED} == {
        name: set(columns.split()) for name, columns in NEEDED.items()
    }
