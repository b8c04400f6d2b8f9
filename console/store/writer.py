"""The writer: it buffers outcomes and rows of games in memory, and the store gets them in the background."""

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from itertools import accumulate, islice, takewhile
from typing import Generic, Literal, Protocol, Self, TypeVar

import msgspec

from battlesnake_search.common.logs import get_logger
from battlesnake_search.record.outcome import Outcome
from console.store.database import REMEDY, RefusedError, in_a_line, is_incurable
from console.store.records import GameRow, RecordRow, Renamed, ReviewRow, Row

log = get_logger(__name__)

MAX_OUTCOME_BYTES = 40_000_000
MAX_ROW_BYTES = 10_000_000
"""The largest number of bytes of outcomes, and of rows of games, in the buffer while a database is slow or
lost."""

LEAST_BYTES = 512
"""The bytes of an item in memory besides its texts."""

_SMALL = 4096
"""The bytes of a row that most positions of a game have. Half of the buffer is for rows of at most these."""

_UNPLAYED_SHARE = 1 / 4
"""The share of the buffer for outcomes without a move. Strangers can end any number of games."""

_OUTCOMES_AT_ONCE = 500
_ROWS_AT_ONCE = 200
"""The most items of a batch. Rows are fewer, because the event loop encodes a batch in one piece."""

_BATCH_BYTES = 1_000_000
"""The bytes of a batch besides its first item. A batch is in memory several times while it is written."""

_LINGER = 0.5
"""Seconds between two batches of rows: games have a few rows each second, and each commit is synced."""

_OUTCOMES_FLUSH = 5.0
_ROWS_FLUSH = 2.0
"""Seconds for writing the buffered items when the gateway ends. Rows of games get less time."""

_FIRST_BACKOFF = 0.1
_MAX_BACKOFF = 2.0

_TIDIED_EVERY = 2.0
"""Seconds between two questions whether the store has too many rows."""

_ATTEMPT_TIMEOUT = 15.0
"""Seconds after which an attempt to write has failed."""

_TIDY_TIMEOUT = 60.0
"""Seconds after which a removal has failed. It is slow, because it may remove a hundred thousand rows."""

_GATEWAY_ENDED = "the gateway ended before the database took it"

Fate = Literal["written", "lost"]
"""An item is written or lost."""

_Item = TypeVar("_Item")


class Writable(Protocol):
    """A store. While its database is lost, its methods may raise any error."""

    name: str

    async def prepare(self) -> None:
        """Prepare the store. This is called once, before the first addition."""

    async def add_outcomes(self, items: Sequence[Outcome | Renamed], /) -> None:
        """Apply all items or, on an error, none. Raises RefusedError if an item is refused."""

    async def add_rows(self, rows: Sequence[Row], /) -> None:
        """Apply all rows or, on an error, none. Raises RefusedError if a row is refused."""

    async def tidy(self) -> None:
        """Remove old items if it is time. This is called at short intervals."""


class ItemCounters(Protocol):
    """Counters of one kind of items."""

    def count(self, fate: Fate, number: int) -> None:
        """Count items that were written or lost."""

    def set_waiting(self, number: int) -> None:
        """Set the number of items that wait to be written."""


class Counters(Protocol):
    """Counters of outcomes and of rows of games."""

    @property
    def outcomes(self) -> ItemCounters:
        """Counters of outcomes."""

    @property
    def records(self) -> ItemCounters:
        """The counters of rows of games."""


class DatabaseState:
    """Whether the database accepts items; its text is for operators."""

    def __init__(self) -> None:
        self._is_opened = False
        self._since = ""
        self._failing: set[str] = set()
        self._reason = ""
        self._remedy = ""

    def __str__(self) -> str:
        if self._failing:
            return self._reason
        return "connected" if self._is_opened else "not opened yet"

    @property
    def is_lost(self) -> bool:
        """Whether the last attempt has failed."""
        return bool(self._failing)

    def failed(self, work: str, reason: str, remedy: str = "") -> bool:
        """Record a failure, with the remedy of one that no further attempt cures.

        Return whether this is news: the database was not lost before, or its loss seemed to need no remedy.
        """
        is_lost = not self._failing
        is_news = is_lost or bool(remedy and not self._remedy)
        self._failing.add(work)
        if is_lost:
            self._since = f"lost since {datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"
        if is_news:
            self._remedy = remedy
            self._reason = "; ".join(filter(None, (f"{self._since}: {reason}", remedy)))
        return is_news

    def succeeded(self, work: str) -> bool:
        """Record a success. Return whether it ends a loss of the database."""
        self._is_opened = True
        was_lost = work in self._failing
        self._failing.discard(work)
        if not self._failing:
            self._remedy = ""
        return was_lost and not self._failing


class Sink:
    """A receiver of outcomes and rows of games. This class discards them."""

    def record(self, outcome: Outcome) -> None:
        """Take an outcome without waiting."""

    def put(self, row: Row) -> None:
        """Take a row of a game without waiting."""


class Writer(Sink):
    """A writer of outcomes and rows of games to a store. An asynchronous context manager: leaving it flushes.

    The items of each kind are written in their order, and outcomes before rows. An item stays buffered until
    the store has confirmed it, so a short loss of the database loses no item. An item that was stored without
    a confirmation is added again. A refused item is lost, and the other items continue. Beyond
    MAX_OUTCOME_BYTES and MAX_ROW_BYTES, new items are lost. Lost outcomes of games with moves are logged with
    all their fields.
    """

    def __init__(
        self,
        store: Writable,
        counters: Counters,
        state: DatabaseState | None = None,
    ) -> None:
        self._store = store
        self._state = state or DatabaseState()
        self._ending = asyncio.Event()
        self._outcomes = _Outcomes(counters.outcomes, MAX_OUTCOME_BYTES)
        self._rows = _Rows(counters.records, MAX_ROW_BYTES)

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._write_all())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._ending.set()
        for buffer, patience in ((self._outcomes, _OUTCOMES_FLUSH), (self._rows, _ROWS_FLUSH)):
            with suppress(TimeoutError):
                await asyncio.wait_for(buffer.flushed.wait(), patience)
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        self._outcomes.lose_all(_GATEWAY_ENDED)
        self._rows.lose_all(_GATEWAY_ENDED)

    def record(self, outcome: Outcome) -> None:
        """Buffer an outcome for the background writer."""
        self._outcomes.put(outcome)

    def put(self, row: Row) -> None:
        """Buffer a row of a game for the background writer. A renaming also applies to outcomes."""
        self._rows.put(row)
        if isinstance(row, Renamed):
            self._outcomes.put(row)

    async def _write_all(self) -> None:
        await self._retry("preparation", self._store.prepare)
        log.info("outcomes are recorded", store=self._store.name)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._write_outcomes())
            tasks.create_task(self._write_rows())
            tasks.create_task(self._tidy())

    async def _write_outcomes(self) -> None:
        while True:
            await self._outcomes.arrived.wait()
            await self._write(
                self._outcomes, self._store.add_outcomes, self._outcomes.batch(_OUTCOMES_AT_ONCE)
            )

    async def _write_rows(self) -> None:
        while True:
            await self._rows.arrived.wait()
            if len(self._rows) < _ROWS_AT_ONCE:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._ending.wait(), _LINGER)
            await self._outcomes.flushed.wait()
            await self._write(self._rows, self._store.add_rows, self._rows.batch(_ROWS_AT_ONCE))

    async def _tidy(self) -> None:
        reason = ""
        while True:
            await asyncio.sleep(_TIDIED_EVERY)
            before, reason = reason, ""
            try:
                async with asyncio.timeout(_TIDY_TIMEOUT):
                    await self._store.tidy()
            except Exception as error:
                # A database that is lost is logged by the writers.
                reason = in_a_line(error)
                if reason != before:
                    log.warning("old rows are not removed", store=self._store.name, reason=reason)

    async def _write(
        self,
        buffer: "_Buffer[_Item]",
        add: Callable[[Sequence[_Item]], Awaitable[None]],
        items: Sequence[_Item],
    ) -> None:
        """Write the oldest items of a buffer. Halve a refused batch until each refused item is alone."""
        try:
            await self._retry(buffer.noun, partial(add, items))
        except RefusedError as error:
            if len(items) == 1:
                buffer.take(1)
                buffer.lost(items[0], f"the database refuses it: {error}")
                return
            middle = len(items) // 2
            await self._write(buffer, add, items[:middle])
            await self._write(buffer, add, items[middle:])
        else:
            buffer.take(len(items))
            buffer.written(items)

    async def _retry(self, work: str, attempt: Callable[[], Awaitable[None]]) -> None:
        """Repeat an attempt until it succeeds. Raises RefusedError if the store refuses an item."""
        backoff = _FIRST_BACKOFF
        while True:
            try:
                async with asyncio.timeout(_ATTEMPT_TIMEOUT):
                    await attempt()
                return self._note_success(work)
            except RefusedError:
                self._note_success(work)
                raise
            except Exception as error:
                # SQLAlchemy, its drivers and the network share no base exception.
                self._note_failure(work, in_a_line(error), REMEDY if is_incurable(error) else "")
            await asyncio.sleep(backoff)
            backoff = min(2 * backoff, _MAX_BACKOFF)

    def _note_failure(self, work: str, reason: str, remedy: str) -> None:
        """Log a lost database once, for any number of attempts. A loss that needs a remedy is an error."""
        if self._state.failed(work, reason, remedy):
            tell = log.error if remedy else log.warning
            reason = "; ".join(filter(None, (reason, remedy)))
            tell("database lost", store=self._store.name, reason=reason, waiting=self._waiting)

    def _note_success(self, work: str) -> None:
        if self._state.succeeded(work):
            log.warning("database back", store=self._store.name, waiting=self._waiting)

    @property
    def _waiting(self) -> int:
        return len(self._outcomes) + len(self._rows)


class _Buffer(ABC, Generic[_Item]):
    """The items of a kind that wait to be written, oldest first. `noun` is their name in the log."""

    noun: str

    def __init__(self, counters: ItemCounters, most_bytes: int) -> None:
        self.arrived = asyncio.Event()
        """Set while items wait."""
        self.flushed = asyncio.Event()
        """Set while no item waits."""
        self.flushed.set()
        self._counters = counters
        self._most_bytes = most_bytes
        self._bytes = 0
        self._items: deque[_Item] = deque()

    def __len__(self) -> int:
        return len(self._items)

    def put(self, item: _Item) -> None:
        """Add an item, or lose it if too many wait."""
        size = self.size(item)
        if self._bytes + size > self.room(item):
            self.lost(item, f"too many {self.noun} wait for the database")
            return
        self._bytes += size
        self._items.append(item)
        self._changed()

    @abstractmethod
    def size(self, item: _Item) -> int:
        """Return the bytes of an item in memory."""

    @abstractmethod
    def room(self, item: _Item) -> float:
        """Return the most bytes of all items with which this one is taken."""

    def batch(self, size: int) -> list[_Item]:
        """Return the oldest items, at most `size`, and at most some bytes of them."""
        bytes_ = accumulate(map(self.size, islice(self._items, 1, size)))
        number = 1 + sum(1 for _ in takewhile(lambda total: total <= _BATCH_BYTES, bytes_))
        return list(islice(self._items, number))

    def written(self, items: Sequence[_Item]) -> None:
        """Count the items that the store has confirmed."""
        self._counters.count("written", len(items))

    def lost(self, item: _Item, reason: str) -> None:
        """Count an item that will not be written."""
        self._counters.count("lost", 1)

    def take(self, number: int) -> None:
        """Drop the oldest items."""
        for _ in range(number):
            self._bytes -= self.size(self._items.popleft())
        self._changed()

    def lose_all(self, reason: str) -> None:
        """Lose all items."""
        while self._items:
            self.lost(self._items.popleft(), reason)
        self._bytes = 0

    def _changed(self) -> None:
        self._counters.set_waiting(len(self._items))
        true, false = (self.arrived, self.flushed) if self._items else (self.flushed, self.arrived)
        true.set()
        false.clear()


class _Outcomes(_Buffer[Outcome | Renamed]):
    """The outcomes. Lost ones are logged with all their fields."""

    noun = "outcomes"

    def size(self, item: Outcome | Renamed) -> int:
        return LEAST_BYTES + (sum(map(len, item.opponents)) if isinstance(item, Outcome) else 0)

    def room(self, item: Outcome | Renamed) -> float:
        is_played = isinstance(item, Renamed) or item.moves > 0
        return self._most_bytes * (1 if is_played else _UNPLAYED_SHARE)

    def written(self, items: Sequence[Outcome | Renamed]) -> None:
        super().written([item for item in items if isinstance(item, Outcome)])

    def lost(self, item: Outcome | Renamed, reason: str) -> None:
        if not isinstance(item, Outcome):
            return
        super().lost(item, reason)
        if item.moves:
            log.error("outcome lost", reason=reason, **msgspec.to_builtins(item))


class _Rows(_Buffer[Row]):
    """The rows of games. The beginning and the end of losses are logged."""

    noun = "games"
    _lost = 0

    def size(self, item: Row) -> int:
        match item:
            case RecordRow():
                return LEAST_BYTES + len(item.record)
            case GameRow():
                return LEAST_BYTES + len(item.header)
            case ReviewRow():
                return LEAST_BYTES + len(item.review)
            case Renamed():
                return LEAST_BYTES

    def room(self, item: Row) -> float:
        return self._most_bytes * (1 if self.size(item) <= LEAST_BYTES + _SMALL else 1 / 2)

    def written(self, items: Sequence[Row]) -> None:
        super().written(items)
        if self._lost:
            log.warning("records of games are written again", lost=self._lost)
            self._lost = 0

    def lost(self, item: Row, reason: str) -> None:
        super().lost(item, reason)
        if not self._lost:
            log.error("records of games are lost", reason=reason)
        self._lost += 1
