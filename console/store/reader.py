"""The reading of outcomes for reports. It changes no database.

A file is read with the standard library, because SQLAlchemy's import takes longer than the rest of a report.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from itertools import chain
from math import fsum
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec

from battlesnake_search.record.outcome import Outcome
from console.store.database import file_of
from console.store.readable import readable

_CONNECT_TIMEOUT = 5.0
_COMMAND_TIMEOUT = 30.0
"""Seconds after which a database counts as lost."""

_TIMES = ("ended_at", "began_at", "seen_at")
_TRUTHS = ("drawn", "ended")
_JSON = ("opponents", "shadows", "shares", "searched")
_OLDER = {"part": "", "ended": True}
"""The values other than None of columns that older databases lack."""

_SHADOW_MEANS = ("mean_depth", "mean_score", "played_mean_depth", "played_mean_score")

Row = dict[str, Any]
Rows = list[Row]


async def read(url: str, columns: Sequence[str], order: Sequence[str]) -> Rows:
    """Return these columns of every row in the database at a SQLAlchemy URL, in this order.

    Values are as in `Outcome`. A column that the database lacks has the value of older rows. Rows that can't
    be read are left out. Raises FileNotFoundError, and creates nothing, if the file is missing. Also raises
    the errors of SQLite, SQLAlchemy, the driver and the network.
    """
    return await _read(url, f"SELECT * FROM outcomes ORDER BY {', '.join(order)}", columns)


async def read_running(url: str) -> Rows:
    """Return `id`, `seen_at` and the encoded `header` of every recorded game without an end.

    A database without recorded games has none. Raises as `read`.
    """
    query = "SELECT id, seen_at, header FROM games WHERE ended_at IS NULL"
    try:
        return await _read(url, query, ("id", "seen_at", "header"))
    except sqlite3.OperationalError as error:
        if "no such table" in str(error):
            return []
        raise


async def _read(url: str, query: str, columns: Sequence[str]) -> Rows:
    if file := file_of(url):
        return _read_file(file, query, columns)
    return await _read_server(url, query, columns)


async def read_games(url: str) -> Rows:
    """Return every game of a snake in the database at a SQLAlchemy URL, by experiment and time of its end.

    `Outcome` describes the fields. The rows of several gateways are merged into one. Raises as `read`.
    """
    columns = Outcome.__struct_fields__
    found: defaultdict[tuple[str, str], Rows] = defaultdict(list)
    for row in await read(url, columns, ("ended_at", "part")):
        found[row["game_id"], row["snake_id"]].append(row)
    games = [parts[0] if len(parts) == 1 else merged(parts) for parts in found.values()]
    return sorted(games, key=itemgetter("experiment", "ended_at", "game_id", "snake_id"))


def merged(parts: Sequence[Row]) -> Row:
    """Return the outcome of a snake's game from several gateways' views. Views are ordered by their ends.

    The result is from the view with the most moves among the views that saw the end, or from the last such
    view. The names are from the earliest view. Moves add up.
    """
    ends = [part for part in parts if part["ended"]] or parts
    last = max(reversed(ends), key=itemgetter("moves"))
    begun = [part for part in parts if part["seen_from"] is not None]
    first = min(begun, key=itemgetter("seen_from"), default=last)
    turns = [part["last_turn"] for part in parts if part["last_turn"] is not None]
    beginnings = [part["began_at"] for part in parts if part["began_at"] is not None]
    late = [part["timeouts"] for part in parts if part["timeouts"] is not None]
    played = [part["searched"] for part in parts if part["searched"] is not None]
    return last | {
        "snake": first["snake"],
        "opponents": first["opponents"],
        "drawn": _is_drawn(parts),
        "moves": sum(part["moves"] for part in parts),
        "timeouts": sum(late) if late else None,
        "mean_depth": _mean(parts, "mean_depth", "moves"),
        "mean_latency_ms": _mean(parts, "mean_latency_ms", "moves"),
        "seen_from": first["seen_from"],
        "last_turn": max(turns, default=None),
        "began_at": min(beginnings, default=None),
        "moves_searched": _moves_searched(parts),
        "searched": {name: one[name] for one in played for name in one} if played else None,
        "shadows": _shadows(parts),
    }


def _is_drawn(parts: Sequence[Row]) -> bool:
    """Return whether all views saw a drawn game of the same, unchanged arm."""
    if not all(part["drawn"] for part in parts):
        return False
    players = {(part["experiment"], part["arm"], part["setup"]) for part in parts}
    searched = chain.from_iterable((part["searched"] or {}).items() for part in parts)
    digests = {(name, strategy["digest"]) for name, strategy in searched}
    return len(players) == 1 and len(digests) == len({name for name, _ in digests})


def _moves_searched(parts: Sequence[Row]) -> int | None:
    """Return the number of moves that searches found; None if it is unknown for a part with searches."""
    if any(part["moves_searched"] is None and part["mean_depth"] is not None for part in parts):
        return None
    return sum(part["moves_searched"] or 0 for part in parts)


def _mean(values: Sequence[Row], field: str, weight: str) -> float | None:
    """Return the weighted mean of the known values; None if none is known."""
    known = [value for value in values if value.get(field) is not None]
    total = sum(value[weight] for value in known)
    return fsum(value[field] * value[weight] for value in known) / total if total else None


def _shadows(parts: Sequence[Row]) -> dict[str, Row]:
    """Return the records of shadows, over the positions of all parts."""
    by_name: defaultdict[str, Rows] = defaultdict(list)
    for part in parts:
        for name, shadow in part["shadows"].items():
            by_name[name].append(shadow)
    return {
        name: shadows[0]
        | {count: sum(shadow[count] for shadow in shadows) for count in ("compared", "agreed")}
        | {mean: _mean(shadows, mean, "compared") for mean in _SHADOW_MEANS}
        for name, shadows in by_name.items()
    }


def _read_file(file: Path, query: str, columns: Sequence[str]) -> Rows:
    if not file.exists():
        raise FileNotFoundError(f"there is no file {file}")
    with closing(sqlite3.connect(file, timeout=_CONNECT_TIMEOUT)) as connection:
        cursor = connection.execute(query)
        names = [name for name, *_ in cursor.description]
        return _decoded((dict(zip(names, row, strict=True)) for row in cursor), columns)


async def _read_server(url: str, query: str, columns: Sequence[str]) -> Rows:
    from sqlalchemy import text

    from console.store.engine import open_engine

    engine = open_engine(url, _COMMAND_TIMEOUT)
    try:
        async with engine.connect() as connection:
            return _decoded((await connection.execute(text(query))).mappings(), columns)
    finally:
        await engine.dispose()


def _decoded(rows: Iterable[Mapping[Any, Any]], columns: Sequence[str]) -> Rows:
    def decoded(row: Mapping[Any, Any]) -> Row:
        return {name: _value(name, row.get(name, _OLDER.get(name))) for name in columns}

    return list(readable("outcomes", rows, decoded))


def _value(name: str, value: Any) -> Any:
    """Return a file's value in a server's types. Files have text for JSON and times, numbers for booleans."""
    if name in _JSON and isinstance(value, str):
        return msgspec.json.decode(value)
    if name in _TIMES and isinstance(value, str):
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    return bool(value) if name in _TRUTHS else value
