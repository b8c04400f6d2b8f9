"""New SQLite databases of tests: the migrations make the first schema, and the others are copies of it."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, inspect, text

from console.store import schema


@pytest.fixture(scope="session", autouse=True)
def migrated_once() -> Iterator[None]:
    """Run all migrations once in a test process, because they take 30 ms and hundreds of tests need them."""
    upgrade, statements = schema.upgrade, list[str]()

    def upgrade_or_copy(connection: Connection) -> None:
        is_new = connection.dialect.name == "sqlite" and not inspect(connection).get_table_names()
        if is_new and statements:
            for statement in statements:
                connection.exec_driver_sql(statement)
            return
        upgrade(connection)
        if is_new:
            statements.extend(_statements(connection))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "upgrade", upgrade_or_copy)
        yield


def _statements(connection: Connection) -> list[str]:
    """Return the statements that make a copy of an upgraded schema."""
    tables = connection.execute(text("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")).scalars()
    revision = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return [*tables, f"INSERT INTO alembic_version VALUES ('{revision}')"]
