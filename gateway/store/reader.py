"""Reading of outcomes, for reports: it changes no database, and reads a file by the standard library alone.

SQLAlchemy takes longer to import than everything else that a report does.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from gateway.store.database import file_of

_CONNECT_TIMEOUT = 5.0
_COMMAND_TIMEOUT = 30.0
"""Seconds after which a database counts as lost."""

_TIME = "ended_at"
_TRUTH = "drawn"
_JSON = ("opponents", "shadows", "shares", "searched")

Rows = list[dict[str, Any]]


async def read(url: str, columns: Sequence[str], order: Sequence[str]) -> Rows:
    """Return these columns of every row in the database at a SQLAlchemy URL, in this order.

    Values are as in `Outcome`; a column that the database does not have yet is None. Raises
    FileNotFoundError, and creates nothing, without a file; otherwise the errors of SQLite, SQLAlchemy, the
    driver and the network.
    """
    query = f"SELECT * FROM outcomes ORDER BY {', '.join(order)}"
    if file := file_of(url):
        return _read_file(file, query, columns)
    return await _read_server(url, query, columns)


def _read_file(file: Path, query: str, columns: Sequence[str]) -> Rows:
    if not file.exists():
        raise FileNotFoundError(f"there is no file {file}")
    with closing(sqlite3.connect(file, timeout=_CONNECT_TIMEOUT)) as connection:
        cursor = connection.execute(query)
        names = [name for name, *_ in cursor.description]
        return _decoded((dict(zip(names, row, strict=True)) for row in cursor), columns)


async def _read_server(url: str, query: str, columns: Sequence[str]) -> Rows:
    from sqlalchemy import text
    from sqlalchemy.ext.asyncio import create_async_engine

    timeouts = {"timeout": _CONNECT_TIMEOUT, "command_timeout": _COMMAND_TIMEOUT}
    engine = create_async_engine(url, connect_args=timeouts)
    try:
        async with engine.connect() as connection:
            return _decoded((await connection.execute(text(query))).mappings(), columns)
    finally:
        await engine.dispose()


def _decoded(rows: Iterable[Mapping[Any, Any]], columns: Sequence[str]) -> Rows:
    return [{name: _value(name, row.get(name)) for name in columns} for row in rows]


def _value(name: str, value: Any) -> Any:
    """Return a value as a server has it: a file has text for JSON and times, and numbers for truth."""
    if name in _JSON and isinstance(value, str):
        return msgspec.json.decode(value)
    if name == _TIME and isinstance(value, str):
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    return bool(value) if name == _TRUTH else value
