"""The connections to a database, through SQLAlchemy: sessions, their settings, and the errors of rows."""

import asyncio
import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Connection, ExceptionContext
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, StatementError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from console.store import schema
from console.store.database import arguments_of, file_of, in_a_line

CONNECT_TIMEOUT = 5.0
COMMAND_TIMEOUT = 10.0
"""Seconds after which a database counts as lost."""

READS_ONLY = "battlesnake_reads_only"
"""The execution option of SQLite transactions that do not wait for other transactions."""

_LOCKED_PAUSE = 0.02
"""Seconds between two attempts to upgrade a locked file."""

_LOG_BYTES = 16_000_000
"""The size of an SQLite file's write-ahead log between two transactions."""

_CACHE_KILOBYTES = 256
"""The size of each connection's cache of pages, for which SQLite takes 2 MB by default. The system caches the
file, too."""

_REFUSALS = ("22", "23", "54")
"""The classes of PostgreSQL's error codes about the values of a row: data, constraints, limits."""

_UNNAMED: Mapping[str, Any] = {
    "statement_cache_size": 0,
    "prepared_statement_cache_size": 0,
    "prepared_statement_name_func": str,
}
"""The arguments for statements without names and caches.

A pooler in transaction mode gives each transaction the connection of another client, on which a name may be
missing or taken.
"""


def open_engine(url: str, command_timeout: float = COMMAND_TIMEOUT) -> AsyncEngine:
    """Return the connections to a database. A PostgreSQL URL may have libpq's words."""
    if file_of(url):
        # A cached statement would keep the values of its last execution: up to a megabyte of rows for each
        # number of rows in an insertion.
        engine = create_async_engine(url, connect_args={"timeout": CONNECT_TIMEOUT, "cached_statements": 0})
        event.listen(engine.sync_engine, "connect", _set_up_sqlite)
        event.listen(engine.sync_engine, "begin", _begin_sqlite)
        return engine
    settings = {"timeout": CONNECT_TIMEOUT, "command_timeout": command_timeout, **_UNNAMED}
    settings |= arguments_of(url)
    engine = create_async_engine("postgresql+asyncpg://", pool_pre_ping=True, connect_args=settings)
    event.listen(engine.sync_engine, "handle_error", _renew_sessions)
    return engine


async def prepare(engine: AsyncEngine, url: str, creates: bool = True) -> None:
    """Upgrade an older schema. With `creates`, also create a missing file and missing tables.

    Without `creates`, raises FileNotFoundError for a missing file, and SchemaError for a database without the
    tables of a console, or if the upgrade fails. Raises the error of SQLite for a file that can't be opened.
    """
    if file := file_of(url):
        await asyncio.to_thread(_check_file, file, creates)
    deadline = time.monotonic() + CONNECT_TIMEOUT
    while not await _is_upgraded(engine, deadline, creates):
        await asyncio.sleep(_LOCKED_PAUSE)


def is_refusal(error: BaseException | None) -> bool:
    """Return whether an error is due to the values of a row, so that it would repeat with them."""
    if isinstance(error, DBAPIError):
        # asyncpg's errors have codes. SQLAlchemy has no class for most of the codes.
        code: str = getattr(error.orig, "sqlstate", None) or ""
        return isinstance(error, DataError | IntegrityError) or code.startswith(_REFUSALS)
    # A value that the driver can't encode raises a Python error. SQLAlchemy wraps only some of these errors.
    return isinstance(error, StatementError | UnicodeError | OverflowError)


def _check_file(file: Path, creates: bool) -> None:
    if creates:
        file.parent.mkdir(parents=True, exist_ok=True)
    elif not file.exists():
        raise FileNotFoundError(f"there is no file {file}")
    # If a file can't be opened, aiosqlite leaves a thread that prints a traceback.
    with closing(sqlite3.connect(file, timeout=CONNECT_TIMEOUT)) as connection:
        connection.execute("PRAGMA schema_version")


async def _is_upgraded(engine: AsyncEngine, deadline: float, creates: bool) -> bool:
    """Upgrade the schema. Return False if the file is locked and the deadline is still ahead."""
    try:
        # Most databases need no upgrade, and a reader must not wait for the writer of a file.
        async with engine.execution_options(**{READS_ONLY: True}).connect() as connection:
            if await connection.run_sync(schema.is_usable):
                return True
            if not creates and not await connection.run_sync(schema.has_tables):
                raise schema.SchemaError("no console has recorded games in it")
        async with engine.begin() as connection:
            await connection.run_sync(schema.upgrade)
    except DBAPIError as error:
        # SQLite fails without waiting if several connections switch a new file to write-ahead logging.
        if "locked" in str(error.orig) and time.monotonic() < deadline:
            return False
        if creates:
            raise
        reason = f"its schema can't be read or upgraded: {in_a_line(error)}"
        raise schema.SchemaError(f"{reason}; a console upgrades it at its start") from error
    return True


def _set_up_sqlite(connection: DBAPIConnection, _record: object) -> None:
    # Python's own transactions don't cover changes of the schema.
    connection.isolation_level = None
    cursor = connection.cursor()
    # A new file can give free pages back to the system. For an older file this has no effect.
    cursor.execute("PRAGMA auto_vacuum = INCREMENTAL")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")
    # A large transaction leaves a large log, which is cut after its next use.
    cursor.execute(f"PRAGMA journal_size_limit = {_LOG_BYTES}")
    # With this, committed data survive a crash of the machine.
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # Wait for the write lock now, because a transaction that begins with a read can't wait for it later.
    reads_only = connection.get_execution_options().get(READS_ONLY)
    connection.exec_driver_sql("BEGIN" if reads_only else "BEGIN IMMEDIATE")


def _renew_sessions(context: ExceptionContext) -> None:
    # A session keeps settings that the server has changed since, such as default_transaction_read_only.
    if not is_refusal(context.sqlalchemy_exception):
        context.is_disconnect = True
