"""The removal of old rows, so that a database keeps within its bounds."""

import asyncio
from collections.abc import Sequence
from math import inf
from typing import Any

from sqlalchemy import (
    JSON,
    ColumnElement,
    LargeBinary,
    Text,
    and_,
    case,
    cast,
    delete,
    func,
    literal,
    or_,
    select,
    tuple_,
    type_coerce,
)
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from console.store.records import Bounds
from console.store.schema import GAME_RECORDS, GAME_REVIEWS, GAMES, OUTCOMES

EVERY = 60.0
"""Seconds between two removals."""

_SHARE = 20
"""A removal doesn't wait for its time if the database has grown by this part of the smallest bound."""

_KEPT = 0.9
"""The part of the largest size that outcomes have after a removal. So the next outcome needs no removal."""

_AT_ONCE = 5_000
_PAUSE = 0.05
"""The most outcomes of a transaction, and the seconds after it. More would delay other writers by seconds."""

_KEY = tuple(OUTCOMES.primary_key)

_IS_PLAYED = OUTCOMES.c.moves > 0

_ORDER: tuple[ColumnElement[Any], ...] = (
    case((and_(_IS_PLAYED, OUTCOMES.c.seen_from == 0), 2), (_IS_PLAYED, 1), else_=0),
    OUTCOMES.c.ended_at,
    *_KEY,
)
"""The order of outcomes by their use, least first."""

_NUMBERS = 150
"""The bytes of an outcome's numbers and times, and of its row in the file."""

_PAGES = "PRAGMA incremental_vacuum(20000)"
"""Return the free pages at the end of an SQLite file to the system: 80 MB within a second."""


class Growth:
    """The rows added since the last removal of old rows. The first removal is after `EVERY`."""

    def __init__(self, bounds: Bounds | None, outcomes_bytes: int | None) -> None:
        sizes = (bounds.bytes if bounds else inf, inf if outcomes_bytes is None else outcomes_bytes)
        self._most_bytes = min(sizes) / _SHARE
        self._most_games: float = bounds.games if bounds else inf
        self._since: float | None = None
        # The bounds may be smaller than before.
        self._bytes = 1
        self._games = 0

    def add(self, size: int, games: int = 0) -> None:
        """Count added rows by their size in bytes. `games` is the number of games among them."""
        self._bytes += size
        self._games += games

    def is_due(self, now: float) -> bool:
        """Return whether old rows should be removed. If so, start anew."""
        self._since = now if self._since is None else self._since
        is_large = self._bytes > self._most_bytes or self._games > self._most_games
        is_due = is_large or (self._bytes > 0 and now - self._since >= EVERY)
        if is_due:
            self._since, self._bytes, self._games = now, 0, 0
        return is_due


async def prune_games(engine: AsyncEngine, bounds: Bounds) -> None:
    """Remove the oldest games until the rest fits the bounds.

    Also remove records and reviews without a game.
    """
    newest_first = (GAMES.c.seen_at.desc(), GAMES.c.id.desc())
    reviews = select(func.sum(func.length(GAME_REVIEWS.c.review))).where(GAME_REVIEWS.c.game_id == GAMES.c.id)
    size = GAMES.c.bytes + func.coalesce(reviews.scalar_subquery(), 0)
    ranked = select(
        GAMES.c.id,
        func.row_number().over(order_by=newest_first).label("number"),
        func.sum(size).over(order_by=newest_first).label("bytes"),
    ).subquery()
    excess = or_(ranked.c.number > bounds.games, ranked.c.bytes > bounds.bytes)
    async with engine.begin() as connection:
        await connection.execute(delete(GAMES).where(GAMES.c.id.in_(select(ranked.c.id).where(excess))))
        for table in (GAME_RECORDS, GAME_REVIEWS):
            await connection.execute(delete(table).where(table.c.game_id.not_in(select(GAMES.c.id))))


async def prune_outcomes(engine: AsyncEngine, most: int) -> int:
    """Remove outcomes until the rest has at most this many bytes. Return their number.

    Views without a move go first, then views that lack the first turn, and of each kind the oldest.
    """
    async with engine.connect() as connection:
        total = await connection.scalar(select(func.sum(_size(connection)))) or 0
        last = await _last(connection, int(total - _KEPT * most)) if total > most else None
    removed = 0
    while last is not None:
        least = select(*_KEY).where(tuple_(*_ORDER) <= tuple_(*last)).limit(_AT_ONCE)
        async with engine.begin() as connection:
            found = (await connection.execute(delete(OUTCOMES).where(tuple_(*_KEY).in_(least)))).rowcount
        removed += found
        if found < _AT_ONCE:
            break
        # Other writers of the file wait for their turn.
        await asyncio.sleep(_PAUSE)
    return removed


async def shrink(engine: AsyncEngine) -> None:
    """Return free pages of an SQLite file to the system. The file reuses the rest."""
    async with engine.connect() as connection:
        driver: Any = (await connection.get_raw_connection()).driver_connection
        # The statement frees a page with each step, and other calls make only one step.
        await driver.executescript(_PAGES)


async def _last(connection: AsyncConnection, excess: int) -> Sequence[Any] | None:
    """Return the `_ORDER` values of the last outcome to remove, to free this many bytes."""
    size = _size(connection)
    before = (func.sum(size).over(order_by=_ORDER, rows=(None, 0)) - size).label("before")
    ranked = select(*(part.label(f"part{number}") for number, part in enumerate(_ORDER)), before).subquery()
    *parts, before_it = ranked.c
    query = select(*parts).where(before_it < excess).order_by(before_it.desc()).limit(1)
    return (await connection.execute(query)).first()


def _size(connection: AsyncConnection) -> ColumnElement[int]:
    """Return the size of an outcome: of the stored texts, and a constant for the rest."""
    texts = [column for column in OUTCOMES.c if isinstance(column.type, Text | JSON)]
    if connection.dialect.name == "sqlite":
        sizes = [func.length(cast(type_coerce(text, Text), LargeBinary)) for text in texts]
    else:
        sizes = [func.pg_column_size(text) for text in texts]
    return sum((func.coalesce(size, 0) for size in sizes), literal(_NUMBERS))
