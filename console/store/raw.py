"""Values as a database returns them to a query without types. Its schema may be older than the code."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

from battlesnake_search.record.outcome import Outcome

_TIMES = ("ended_at", "began_at")
_TRUTHS = ("drawn", "ended", "died_late")
_JSON = ("opponents", "shadows", "shares", "searched")
_OLDER = {"part": "", "ended": True}
"""The values other than None of columns that older databases lack."""


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
