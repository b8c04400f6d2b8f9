"""Rows of a schema that may be older or newer than the code: their values, and those that can't be read."""

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec

from battlesnake_search.common.logs import get_logger
from battlesnake_search.record.outcome import Outcome

log = get_logger(__name__)

_ERRORS = (msgspec.MsgspecError, zlib.error, ValueError, TypeError, RecursionError)

_TIMES = ("ended_at", "began_at")
_TRUTHS = ("drawn", "ended", "died_late")
_JSON = ("opponents", "shadows", "shares", "searched")
_OLDER = {"part": "", "ended": True}
"""The values other than None of columns that older databases lack."""

_Row = TypeVar("_Row")
_Read = TypeVar("_Read")

_told: set[str] = set()


def readable(table: str, rows: Iterable[_Row], read: Callable[[_Row], _Read]) -> Iterator[_Read]:
    """Yield the content of the rows that can be read. The first other row of a table is logged."""
    for row in rows:
        try:
            content = read(row)
        except _ERRORS as error:
            if table not in _told:
                _told.add(table)
                log.warning("rows that can't be read are left out", table=table, reason=str(error))
        else:
            yield content


def outcome_values(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the fields of an outcome. Raises ValueError or msgspec.DecodeError for damaged values."""
    return {name: _value(name, row.get(name, _OLDER.get(name))) for name in Outcome.__struct_fields__}


def utc(time: datetime | str) -> datetime:
    """Return a time. SQLite has it as text in UTC, without its zone."""
    return datetime.fromisoformat(time).replace(tzinfo=UTC) if isinstance(time, str) else time


def _value(name: str, value: Any) -> Any:
    """Return a value of a column. Files have text for JSON and times, and numbers for booleans."""
    if name in _JSON and isinstance(value, str):
        return msgspec.json.decode(value)
    if name in _TIMES and value is not None:
        return utc(value)
    return bool(value) if name in _TRUTHS and value is not None else value
