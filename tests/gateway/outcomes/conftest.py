"""The databases that outcomes are kept in: each test that asks for one runs on every kind."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from gateway.outcomes.target import Target, target_of
from tests.support.postgres import Postgres


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Target:
    """An empty database."""
    if request.param == "sqlite":
        return target_of(str(tmp_path / "deep" / "outcomes.sqlite"))
    postgres: Postgres = request.getfixturevalue("postgres")
    found = target_of(postgres.url)
    asyncio.run(_empty(found.url))
    return found


@pytest.fixture
def url(database: Target) -> str:
    """The SQLAlchemy URL of an empty database."""
    return database.url


async def _empty(url: str) -> None:
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        await connection.execute(text("DROP SCHEMA public CASCADE"))
        await connection.execute(text("CREATE SCHEMA public"))
    await engine.dispose()
