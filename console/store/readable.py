"""Rows that are damaged or of a newer version. They are left out, and logged once for each table."""

import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import msgspec

from battlesnake_search.common.logs import get_logger

log = get_logger(__name__)

_ERRORS = (msgspec.MsgspecError, zlib.error, ValueError, TypeError, RecursionError)

_Row = TypeVar("_Row")
_Read = TypeVar("_Read")

_told: set[str] = set()


def readable(table: str, rows: Iterable[_Row], read: Callable[[_Row], _Read]) -> Iterator[_Read]:
    """Yield the content of the rows that can be read."""
    for row in rows:
        try:
            content = read(row)
        except _ERRORS as error:
            if table not in _told:
                _told.add(table)
                log.warning("rows that can't be read are left out", table=table, reason=str(error))
        else:
            yield content
