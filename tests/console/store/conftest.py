"""Empty databases of every kind: each test with the fixture runs on all of them."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text

from console.store.database import OutcomesDatabase, read_database
from console.store.engine import open_engine
from tests.console.store.game_samples import Recording, recording
from tests.support.postgres import Postgres


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> OutcomesDatabase:
    """Return an empty database."""
    if request.param == "sqlite":
        return read_database(str(tmp_path / "deep" / "outcomes.sqlite"))
    postgres: Postgres = request.getfixturevalue("postgres")
    emptied = read_database(postgres.url)
    asyncio.run(_empty(emptied.url))
    return emptied


@pytest.fixture
def url(database: OutcomesDatabase) -> str:
    """Return the URL of an empty database."""
    return database.url


@pytest.fixture(name="recording")
async def _recording() -> AsyncIterator[Recording]:
    """Yield a recorder with a store in a temporary file."""
    async with recording() as recorder:
        yield recorder


async def _empty(url: str) -> None:
    engine = open_engine(url)
    async with engine.begin() as connection:
        await connection.execute(text("DROP SCHEMA public CASCADE"))
        await connection.execute(text("CREATE SCHEMA public"))
    await engine.dispose()
