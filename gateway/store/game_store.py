"""The store of recorded games: two tables in the outcomes' database."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, Select, delete, func, or_, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from gateway.store.engine import Database
from gateway.store.records import Header, decode_header, pack
from gateway.store.rows import Bounds, GameRow, RecordRow, Row
from gateway.store.schema import GAME_RECORDS, GAMES

PRUNED_EVERY = 60.0
"""Seconds between two removals of old games."""


class GameStore(Database):
    """The games in a database. Those that exceed the bounds, if there are any, are removed now and then."""

    def __init__(self, url: str, bounds: Bounds | None = None) -> None:
        super().__init__(url)
        self._bounds = bounds
        self._pruned = float("-inf")
        games = self.insert(GAMES)
        newer = {name: games.excluded[name] for name in ("ended_at", "header")}
        self._add_games = games.on_conflict_do_update(index_elements=[GAMES.c.id], set_=newer)
        self._add_records = self.insert(GAME_RECORDS).on_conflict_do_nothing()

    async def add(self, rows: Sequence[Row]) -> None:
        """Store all rows or, on an error, none. Then remove old games, if the last time is long ago."""
        # The last row of a game has its newest state, and one statement may change a row only once.
        games = {row.id: _game_values(row) for row in rows if isinstance(row, GameRow)}
        new = [row for row in rows if isinstance(row, RecordRow)]
        records = await asyncio.to_thread(lambda: [_record_values(row) for row in new])
        async with self._engine.begin() as connection:
            if games:
                await connection.execute(self._add_games, list(games.values()))
            if records:
                await connection.execute(self._add_records, records)
            await _count_bytes(connection, records)
        now = asyncio.get_running_loop().time()
        if self._bounds and now - self._pruned >= PRUNED_EVERY:
            self._pruned = now
            await self.prune(self._bounds)

    async def prune(self, bounds: Bounds) -> None:
        """Remove the oldest games, as many as exceed the bounds, and records without a game."""
        newest_first = (GAMES.c.seen_at.desc(), GAMES.c.id.desc())
        ranked = select(
            GAMES.c.id,
            GAMES.c.seen_at,
            func.row_number().over(order_by=newest_first).label("number"),
            func.sum(GAMES.c.bytes).over(order_by=newest_first).label("bytes"),
        ).subquery()
        oldest = datetime.now(UTC) - timedelta(days=bounds.days)
        excess = or_(
            ranked.c.number > bounds.games,
            ranked.c.bytes > bounds.bytes,
            ranked.c.seen_at < oldest,
        )
        async with self._engine.begin() as connection:
            await connection.execute(delete(GAMES).where(GAMES.c.id.in_(select(ranked.c.id).where(excess))))
            await connection.execute(
                delete(GAME_RECORDS).where(GAME_RECORDS.c.game_id.not_in(select(GAMES.c.id)))
            )

    async def count(self) -> int:
        """Return the number of games."""
        async with self._reading.connect() as connection:
            found: int = await connection.scalar(select(func.count()).select_from(GAMES)) or 0
            return found

    async def headers(self, before: Header | None, limit: int) -> list[Header]:
        """Return the newest games, or the newest of those that are older than another one."""
        newest = select(func.max(GAME_RECORDS.c.turn)).where(GAME_RECORDS.c.game_id == GAMES.c.id)
        query = select(GAMES.c.header, newest.scalar_subquery())
        query = query.order_by(GAMES.c.seen_at.desc(), GAMES.c.id.desc()).limit(limit)
        async with self._reading.connect() as connection:
            found = await connection.execute(query.where(_is_older(before)) if before else query)
            return [_header(*row) for row in found]

    async def header(self, game: str) -> Header | None:
        """Return a game without its turns; None if it is not kept."""
        async with self._reading.connect() as connection:
            found = await connection.scalar(select(GAMES.c.header).where(GAMES.c.id == game))
            return None if found is None else decode_header(found)

    async def records(self, game: str) -> list[bytes]:
        """Return the records of a game, packed."""
        async with self._reading.connect() as connection:
            return list(await connection.scalars(_records_of(game)))


def _header(stored: bytes, newest_turn: int | None) -> Header:
    """Return a header; that of a game without an end has its turns so far."""
    header = decode_header(stored)
    header.turns = max(header.turns, newest_turn or 0)
    return header


def _records_of(game: str) -> Select[tuple[bytes]]:
    return select(GAME_RECORDS.c.record).where(GAME_RECORDS.c.game_id == game)


def _is_older(header: Header) -> ColumnElement[bool]:
    return tuple_(GAMES.c.seen_at, GAMES.c.id) < tuple_(header.seen_at, header.id)


async def _count_bytes(connection: AsyncConnection, records: Sequence[dict[str, object]]) -> None:
    """Add the size of new records to that of their games."""
    sizes: Counter[object] = Counter()
    for values in records:
        record = values["record"]
        assert isinstance(record, bytes)
        sizes[values["game_id"]] += len(record)
    for game, size in sizes.items():
        await connection.execute(update(GAMES).where(GAMES.c.id == game).values(bytes=GAMES.c.bytes + size))


def _game_values(row: GameRow) -> dict[str, object]:
    return {"id": row.id, "seen_at": row.seen_at, "ended_at": row.ended_at, "header": row.header, "bytes": 0}


def _record_values(row: RecordRow) -> dict[str, object]:
    packed = pack(row.record)
    return {"game_id": row.game_id, "turn": row.turn, "snake_id": row.snake_id, "record": packed}
