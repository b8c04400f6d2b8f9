"""The database of outcomes and games through SQLAlchemy: its connections and its schema."""

import asyncio
import time
from pathlib import Path
from typing import Self

from sqlalchemy import Table, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from gateway.store import migrations

_CONNECT_TIMEOUT = 5.0
_COMMAND_TIMEOUT = 10.0
"""Seconds after which a database counts as lost."""

_READS_ONLY = "battlesnake_reads_only"
"""The execution option of transactions that wait for no other one on SQLite."""

_LOCKED_PAUSE = 0.02
"""Seconds between two attempts to upgrade a locked file."""


class Database:
    """The database at a SQLAlchemy URL. An asynchronous context manager.

    `name` is for people: the path of a file, or the URL of a server without the password and the driver.

    Its methods raise the errors of SQLAlchemy, the driver and the network: SQLAlchemyError, OSError and
    TimeoutError.
    """

    def __init__(self, url: str) -> None:
        self._url = make_url(url)
        self._file = Path(self._url.database or "") if _is_sqlite(self._url) else None
        self.name = str(self._file or self._url.set(drivername=self._url.get_backend_name()))
        self._engine = _engine(self._url)
        self._reading = self._engine.execution_options(**{_READS_ONLY: True})
        """The same connections, for transactions that only read."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._engine.dispose()

    async def prepare(self) -> None:
        """Create the file or the tables if missing, and upgrade an older schema."""
        if self._file:
            self._file.parent.mkdir(parents=True, exist_ok=True)
        # Alembic computes for a tenth of a second; in a thread it doesn't delay moves.
        await asyncio.to_thread(lambda: asyncio.run(_upgrade(self._url)))

    def insert(self, table: Table) -> sqlite.Insert | postgresql.Insert:
        """Return an insertion that can say what happens on a conflict."""
        return sqlite.insert(table) if self._file else postgresql.insert(table)


def _is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def _engine(url: URL) -> AsyncEngine:
    if not _is_sqlite(url):
        timeouts = {"timeout": _CONNECT_TIMEOUT, "command_timeout": _COMMAND_TIMEOUT}
        return create_async_engine(url, pool_pre_ping=True, connect_args=timeouts)
    engine = create_async_engine(url, connect_args={"timeout": _CONNECT_TIMEOUT})
    event.listen(engine.sync_engine, "connect", _set_up_sqlite)
    event.listen(engine.sync_engine, "begin", _begin_sqlite)
    return engine


async def _upgrade(url: URL) -> None:
    # This needs its own engine: connections can't leave the event loop that created them.
    engine = _engine(url)
    deadline = time.monotonic() + _CONNECT_TIMEOUT
    try:
        while not await _is_upgraded(engine, deadline):
            await asyncio.sleep(_LOCKED_PAUSE)
    finally:
        await engine.dispose()


async def _is_upgraded(engine: AsyncEngine, deadline: float) -> bool:
    """Upgrade the schema. Return False if the file is locked and the deadline is still ahead."""
    try:
        async with engine.begin() as connection:
            await connection.run_sync(migrations.upgrade)
    except OperationalError as error:
        # Of several connections that switch a new file to write-ahead logging, SQLite makes none wait.
        if "locked" not in str(error.orig) or time.monotonic() >= deadline:
            raise
        return False
    return True


def _set_up_sqlite(connection: DBAPIConnection, _record: object) -> None:
    # Python's own transactions don't cover changes of the schema.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    # What was committed survives a crash of the machine.
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # This waits for the write lock now: a transaction that begins with a read could not wait for it later.
    reads_only = connection.get_execution_options().get(_READS_ONLY)
    connection.exec_driver_sql("BEGIN" if reads_only else "BEGIN IMMEDIATE")
