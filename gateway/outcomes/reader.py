"""Reading of outcomes, for reports: it imports little, and changes no database."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Select, create_engine, inspect, null, select
from sqlalchemy.engine import URL, Connection, make_url

from gateway.outcomes.schema import OUTCOMES

_CONNECT_TIMEOUT = 5.0
_COMMAND_TIMEOUT = 30.0
"""Seconds after which a database counts as lost."""

_JSON: dict[str, Any] = {"json_deserializer": msgspec.json.decode}
"""The options of an engine with a decoder that is several times as fast as the standard library's."""

Rows = list[dict[str, Any]]


async def read(url: str, columns: Sequence[str], order: Sequence[str] = ()) -> Rows:
    """Return these columns of every row in the database at a SQLAlchemy URL, in this order.

    A column that the database does not have yet is None. Raises FileNotFoundError, and creates nothing,
    without a file; otherwise the errors of SQLAlchemy, the driver and the network.
    """
    location = make_url(url)
    if location.get_backend_name() == "sqlite":
        return _read_file(location, columns, order)
    # This takes as long to import as the rest.
    from sqlalchemy.ext.asyncio import create_async_engine

    timeouts = {"timeout": _CONNECT_TIMEOUT, "command_timeout": _COMMAND_TIMEOUT}
    engine = create_async_engine(location, connect_args=timeouts, **_JSON)
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(_rows, columns, order)
    finally:
        await engine.dispose()


def _read_file(location: URL, columns: Sequence[str], order: Sequence[str]) -> Rows:
    file = Path(location.database or "")
    if not file.exists():
        raise FileNotFoundError(f"there is no file {file}")
    timeout = {"timeout": _CONNECT_TIMEOUT}
    engine = create_engine(location.set(drivername="sqlite"), connect_args=timeout, **_JSON)
    try:
        with engine.connect() as connection:
            return _rows(connection, columns, order)
    finally:
        engine.dispose()


def _rows(connection: Connection, columns: Sequence[str], order: Sequence[str]) -> Rows:
    rows = connection.execute(_query(connection, columns).order_by(*(OUTCOMES.c[name] for name in order)))
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _query(connection: Connection, columns: Sequence[str]) -> Select[Any]:
    """Return the query of the columns. Only a gateway upgrades the schema, so some may be missing."""
    present = {column["name"] for column in inspect(connection).get_columns(OUTCOMES.name)}
    return select(*(OUTCOMES.c[name] if name in present else null().label(name) for name in columns))
