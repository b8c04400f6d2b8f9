"""The connection to a database that others use as well."""

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy.engine import Connection
from sqlalchemy.exc import OperationalError

from gateway.store import engine, migrations
from gateway.store.engine import Database

UPGRADE = migrations.upgrade


def failing(monkeypatch: pytest.MonkeyPatch, reason: str) -> list[str]:
    """Let the first upgrade fail for this reason; return a list of all that follow."""
    upgrades: list[str] = []

    def upgrade(connection: Connection) -> None:
        upgrades.append("begun")
        if len(upgrades) == 1:
            raise OperationalError("", {}, sqlite3.OperationalError(reason))
        UPGRADE(connection)

    monkeypatch.setattr(migrations, "upgrade", upgrade)
    return upgrades


async def test_a_locked_file_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another gateway may be setting it up."""
    upgrades = failing(monkeypatch, "database is locked")
    await Database(f"sqlite+aiosqlite:///{tmp_path / 'a.sqlite'}").prepare()
    assert len(upgrades) == 2


async def test_a_file_that_stays_locked_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the time in which a connection has to be made."""
    monkeypatch.setattr(engine, "_CONNECT_TIMEOUT", 0.0)
    upgrades = failing(monkeypatch, "database is locked")
    with pytest.raises(OperationalError, match="database is locked"):
        await Database(f"sqlite+aiosqlite:///{tmp_path / 'a.sqlite'}").prepare()
    assert len(upgrades) == 1


async def test_another_error_is_reported_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It won't go away."""
    upgrades = failing(monkeypatch, "file is not a database")
    with pytest.raises(OperationalError, match="file is not a database"):
        await Database(f"sqlite+aiosqlite:///{tmp_path / 'a.sqlite'}").prepare()
    assert len(upgrades) == 1
