"""The store: outcomes and recorded games in an SQLite file or a PostgreSQL database, through SQLAlchemy."""

import asyncio
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from datetime import datetime
from typing import Any, Self

import msgspec
from sqlalchemy import (
    Executable,
    Table,
    delete,
    exists,
    func,
    or_,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from battlesnake_search.common.logs import get_logger, short_id
from battlesnake_search.record.outcome import Outcome
from console.store import engine, pruning
from console.store.database import RefusedError, file_of, name_of
from console.store.records import (
    Bounds,
    GameRow,
    Header,
    Item,
    RecordRow,
    Removed,
    Renamed,
    ReviewRow,
    decode_header,
    outcome_of,
    pack,
    readable,
    size_of,
)
from console.store.schema import GAME_RECORDS, GAME_REVIEWS, GAMES, OUTCOMES

log = get_logger(__name__)


class Store:
    """The database at a URL of `read_database`. An asynchronous context manager.

    `name` is for people: the path of a file, or the URL of a server without the password and the driver.
    `bounds` are the bounds of the games, and `outcomes_bytes` is the largest size of the outcomes. Without a
    bound nothing is removed.

    `command_timeout` are the seconds after which a server counts as lost.

    The methods raise the errors of SQLAlchemy, the driver and the network: SQLAlchemyError, OSError and
    TimeoutError. `add` raises RefusedError if the database refuses a row.
    """

    def __init__(
        self,
        url: str,
        bounds: Bounds | None = None,
        outcomes_bytes: int | None = None,
        command_timeout: float = engine.COMMAND_TIMEOUT,
    ) -> None:
        self._url = url
        self.name = name_of(url)
        self._bounds = bounds
        self._outcomes_bytes = outcomes_bytes
        self._growth = pruning.Growth(bounds, outcomes_bytes)
        self._engine = engine.open_engine(self._url, command_timeout)
        self._reading = self._engine.execution_options(**{engine.READS_ONLY: True})
        """The same connections, for transactions that only read."""
        self._add_outcomes, self._add_games, self._add_records, self._add_reviews = _insertions(
            file_of(url) is not None
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._engine.dispose()

    async def prepare(self, creates: bool = True) -> None:
        """Upgrade an older schema. With `creates`, also create a missing file and missing tables.

        Without `creates`, raises FileNotFoundError or SchemaError for a database that no console has written,
        and SchemaError if the upgrade fails.
        """
        await engine.prepare(self._engine, self._url, creates)

    async def add(self, items: Sequence[Item]) -> None:
        """Apply all items as if in order or, on an error, none.

        An outcome replaces the stored outcome of the same view. An existing record stays as it is. A newer
        row of a game or of a review replaces the existing row. A renaming moves what came before it to the
        new id, as an unfinished game. It moves nothing if the new id has something already.
        """
        kept, renamings = _renamed(items)
        outcomes = {(one.game_id, one.snake_id, one.part): one for one in kept if isinstance(one, Outcome)}
        games = {
            row.game_id: {
                "id": row.game_id,
                "seen_at": row.seen_at,
                "ended_at": row.ended_at,
                "bytes": len(row.header),
                "header": row.header,
            }
            for row in kept
            if isinstance(row, GameRow)
        }
        reviews = {
            (row.game_id, row.snake_id): asdict(row) | {"review": zlib.compress(row.review)}
            for row in kept
            if isinstance(row, ReviewRow)
        }
        new = [row for row in kept if isinstance(row, RecordRow)]
        records = await asyncio.to_thread(lambda: [asdict(row) | {"record": pack(row.record)} for row in new])
        async with self._adding() as connection:
            for item in kept:
                if isinstance(item, Removed):
                    await _remove_game(connection, item.game_id)
            for renaming in renamings:
                await _rename(connection, renaming)
            if outcomes:
                rows = [msgspec.to_builtins(one, builtin_types=(datetime,)) for one in outcomes.values()]
                await connection.execute(self._add_outcomes, rows)
            if games:
                await connection.execute(self._add_games, list(games.values()))
            if records:
                await _count_bytes(connection, await connection.execute(self._add_records, records))
            if reviews:
                await connection.execute(self._add_reviews, list(reviews.values()))
        self._growth.add(sum(map(size_of, kept)), len(games))

    async def tidy(self) -> None:
        """Remove what exceeds the bounds, if the last removal is long ago or much was added since."""
        if not self._growth.is_due(asyncio.get_running_loop().time()):
            return
        try:
            await self._remove_old()
        except BaseException:
            # Try again later, even if nothing is added.
            self._growth.add(1)
            raise

    async def _remove_old(self) -> None:
        if self._bounds:
            await self.prune(self._bounds)
        if self._outcomes_bytes is not None:
            removed = await pruning.prune_outcomes(self._engine, self._outcomes_bytes)
            if removed:
                log.warning("old outcomes are removed", number=removed, bytes=self._outcomes_bytes)
        if file_of(self._url):
            await pruning.shrink(self._engine)

    @asynccontextmanager
    async def _adding(self) -> AsyncIterator[AsyncConnection]:
        """Yield a transaction. Raises RefusedError for an error that concerns the values of a row."""
        try:
            async with self._engine.begin() as connection:
                yield connection
        except Exception as error:
            if engine.is_refusal(error):
                raise RefusedError(error) from error
            raise

    async def prune(self, bounds: Bounds) -> None:
        """Remove the oldest games until the rest fits the bounds."""
        await pruning.prune_games(self._engine, bounds)

    async def outcomes(self) -> list[Outcome]:
        """Return all outcomes in no order."""
        # SQLAlchemy's column types would raise at the first damaged value.
        rows = await self._rows(text(f"SELECT * FROM {OUTCOMES.name}"))
        return list(readable("outcomes", rows, lambda row: outcome_of(row._mapping)))

    async def running(self, since: datetime) -> list[Header]:
        """Return the headers of all games that have begun since then, and have no end."""
        query = select(GAMES.c.id, GAMES.c.header).where(GAMES.c.ended_at.is_(None), GAMES.c.seen_at > since)
        return list(readable("games", await self._rows(query), lambda row: _header(*row)))

    async def count(self) -> int:
        """Return the number of games."""
        [(found,)] = await self._rows(select(func.count()).select_from(GAMES))
        return int(found)

    async def headers(self, before: Header | None, limit: int) -> list[Header]:
        """Return the newest games or, with `before`, the newest games that are older than this game."""
        mark = (before.seen_at, before.id) if before else None
        found: list[Header] = []
        while len(found) < limit:
            wanted = limit - len(found)
            rows = await self._stored_headers(mark, wanted)
            found += readable("games", rows, lambda row: _header(*row[1:]))
            if len(rows) < wanted:
                break
            mark = rows[-1][:2]
        return found

    async def _stored_headers(self, before: tuple[datetime, str] | None, limit: int) -> Sequence[Any]:
        """Return the time, id, encoded header and newest turn of the newest games before a time and an id."""
        newest = select(func.max(GAME_RECORDS.c.turn)).where(GAME_RECORDS.c.game_id == GAMES.c.id)
        query = select(GAMES.c.seen_at, GAMES.c.id, GAMES.c.header, newest.scalar_subquery())
        if before:
            query = query.where(tuple_(GAMES.c.seen_at, GAMES.c.id) < tuple_(*before))
        return await self._rows(query.order_by(GAMES.c.seen_at.desc(), GAMES.c.id.desc()).limit(limit))

    async def header(self, game: str) -> Header | None:
        """Return a game without its turns; None if it is not kept."""
        query = select(GAMES.c.id, GAMES.c.header).where(GAMES.c.id == game)
        return next(readable("games", await self._rows(query), lambda row: _header(*row)), None)

    async def newest_named(self, short: str) -> Header | None:
        """Return the newest game with this short id of the log, without its turns; None without one."""
        named = select(GAMES.c.id).where(GAMES.c.id.contains(short, autoescape=True))
        rows = await self._rows(named.order_by(GAMES.c.seen_at.desc()))
        found = next((game for (game,) in rows if short_id(game) == short), None)
        return None if found is None else await self.header(found)

    async def records(self, game: str) -> list[bytes]:
        """Return the records of a game, packed."""
        query = select(GAME_RECORDS.c.record).where(GAME_RECORDS.c.game_id == game)
        return [record for (record,) in await self._rows(query)]

    async def review(self, game: str, snake: str) -> ReviewRow | None:
        """Return the review of a game for a snake; None without a review."""
        table = GAME_REVIEWS.c
        query = select(table.turns, table.review).where(table.game_id == game, table.snake_id == snake)
        reviews = readable(
            "game_reviews",
            await self._rows(query),
            lambda row: ReviewRow(game, snake, row[0], zlib.decompress(row[1])),
        )
        return next(reviews, None)

    async def _rows(self, query: Executable) -> Sequence[Any]:
        async with self._reading.connect() as connection:
            return (await connection.execute(query)).all()


def _insertions(is_sqlite: bool) -> tuple[Executable, Executable, Executable, Executable]:
    """Return the insertions of outcomes, games, records and reviews, with their effects on existing rows."""

    def insert(table: Table) -> sqlite.Insert | postgresql.Insert:
        return sqlite.insert(table) if is_sqlite else postgresql.insert(table)

    outcomes, games, records = insert(OUTCOMES), insert(GAMES), insert(GAME_RECORDS)
    reviews = insert(GAME_REVIEWS)
    newest = {column.name: outcomes.excluded[column.name] for column in OUTCOMES.c if not column.primary_key}
    growth = func.length(games.excluded.header) - func.length(GAMES.c.header)
    newer = {
        "ended_at": games.excluded.ended_at,
        "header": games.excluded.header,
        "bytes": GAMES.c.bytes + growth,
    }
    return (
        outcomes.on_conflict_do_update(index_elements=list(OUTCOMES.primary_key), set_=newest),
        games.on_conflict_do_update(index_elements=[GAMES.c.id], set_=newer),
        records.on_conflict_do_nothing().returning(
            GAME_RECORDS.c.game_id, func.length(GAME_RECORDS.c.record)
        ),
        reviews.on_conflict_do_update(
            index_elements=list(GAME_REVIEWS.primary_key),
            set_={name: reviews.excluded[name] for name in ("turns", "review")},
        ),
    )


def _renamed(items: Sequence[Item]) -> tuple[list[Item], list[Renamed]]:
    """Return the items with their ids after all renamings, and the renamings, each once."""
    kept: list[Item] = []
    renamings: list[Renamed] = []
    for item in items:
        if not isinstance(item, Renamed):
            kept.append(item)
        elif item not in renamings:
            # A repeated one would move the next course.
            renamings.append(item)
            kept = [item.applied_to(one) for one in kept]
    return kept, renamings


async def _rename(connection: AsyncConnection, renaming: Renamed) -> None:
    """Move the stored outcomes and the stored game to the new id, unless this has happened already."""
    # A renaming comes with an outcome and rows of the new id. A repeated one would move the next course.
    old, new = renaming.game_id, renaming.new_id
    if not await connection.scalar(select(exists().where(OUTCOMES.c.game_id == new))):
        moved = update(OUTCOMES).where(OUTCOMES.c.game_id == old)
        await connection.execute(moved.values(game_id=new, ended=False))
    done = or_(exists().where(GAMES.c.id == new), exists().where(GAME_RECORDS.c.game_id == new))
    if not await connection.scalar(select(done)):
        await connection.execute(update(GAMES).where(GAMES.c.id == old).values(id=new))
        for table in (GAME_RECORDS, GAME_REVIEWS):
            await connection.execute(update(table).where(table.c.game_id == old).values(game_id=new))


async def _remove_game(connection: AsyncConnection, game: str) -> None:
    """Remove a game that has no later turn than the first."""
    records = GAME_RECORDS.c
    if await connection.scalar(select(exists().where(records.game_id == game, records.turn > 0))):
        return
    for column in (records.game_id, GAME_REVIEWS.c.game_id, GAMES.c.id):
        await connection.execute(delete(column.table).where(column == game))


async def _count_bytes(connection: AsyncConnection, added: Any) -> None:
    """Add the sizes of the inserted records to the sizes of their games."""
    sizes: Counter[str] = Counter()
    for game, size in added:
        sizes[game] += size
    for game, size in sizes.items():
        await connection.execute(update(GAMES).where(GAMES.c.id == game).values(bytes=GAMES.c.bytes + size))


def _header(game: str, stored: bytes, newest_turn: int | None = None) -> Header:
    """Return a header. If the game has no end, the header has its turns so far."""
    header = decode_header(stored)
    # A renamed game keeps the header with its first id.
    header.id = game
    header.turns = max(header.turns, newest_turn or 0)
    return header
