"""The writer: the database gets what is recorded in batches, in its order, and each sender learns when.

Metrics count the written, lost and waiting items.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from types import MappingProxyType
from typing import Literal, Self

import msgspec
from prometheus_client import CollectorRegistry, Counter, Gauge

from battlesnake_search.common.logs import get_logger
from battlesnake_search.common.sparse import FAULTS
from battlesnake_search.record.outcome import Outcome
from console.store.database import REMEDY, RefusedError, in_a_line, is_incurable
from console.store.records import Item, Renamed, size_of
from console.store.store import Store

log = get_logger(__name__)

MOST_BYTES = 8_000_000
"""The bytes of waiting items beyond which senders wait. Their gateways keep what comes meanwhile."""

LEAST_BYTES = 512
"""The bytes of an item in memory besides its texts."""

_AT_ONCE = 500
"""The most items of a batch."""

_BATCH_BYTES = 1_000_000
"""The bytes of a batch besides its first change. A batch is in memory several times while it is written."""

_TOLD_AT_ONCE = 32
"""The most changes that are told before readers take the news. A change of a game has a few events."""

_LINGER = 0.1
"""Seconds between two batches: games have a few rows each second, and each commit is synced."""

_FLUSH = 5.0
"""Seconds for writing what waits when the console ends. Gateways keep the rest."""

_FIRST_BACKOFF = 0.1
_MAX_BACKOFF = 2.0

_TIDIED_EVERY = 2.0
"""Seconds between two questions whether the store has too many rows."""

_ATTEMPT_TIMEOUT = 15.0
"""Seconds after which an attempt to write has failed."""

_TIDY_TIMEOUT = 60.0
"""Seconds after which a removal has failed. It is slow, because it may remove a hundred thousand rows."""

_Kind = Literal["outcomes", "records"]

_METRICS: Mapping[_Kind, tuple[str, str]] = MappingProxyType(
    {
        "outcomes": ("console_outcomes", "Outcomes of games"),
        "records": ("console_game_records", "Records of games"),
    }
)
"""The name of the metrics of each kind of items, and what they count."""


class DatabaseState:
    """Whether the database accepts items; its text is for operators."""

    def __init__(self) -> None:
        self.is_lost = False
        """Whether the last attempt has failed."""
        self._text = "not opened yet"
        self._since = ""
        self._remedy = ""

    def __str__(self) -> str:
        return self._text

    def failed(self, reason: str, remedy: str = "") -> bool:
        """Record a failure, with the remedy of one that no further attempt cures.

        Return whether this is news: the database was not lost before, or its loss seemed to need no remedy.
        """
        is_news = not self.is_lost or bool(remedy and not self._remedy)
        if not self.is_lost:
            self._since = f"lost since {datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"
        if is_news:
            self._remedy = remedy
            self._text = "; ".join(filter(None, (f"{self._since}: {reason}", remedy)))
        self.is_lost = True
        return is_news

    def succeeded(self) -> bool:
        """Record a success. Return whether it ends a loss of the database."""
        was_lost, self.is_lost = self.is_lost, False
        self._text, self._remedy = "connected", ""
        return was_lost


@dataclass(frozen=True, slots=True)
class _Change:
    """Items that came together, and what is called as soon as they are stored."""

    items: Sequence[Item]
    then: Callable[[], None]
    size: int


class Writer:
    """Writes changes to a store in their order. An asynchronous context manager: leaving it flushes.

    A change waits until the store has confirmed it, for as long as the database is lost. An item that was
    stored without a confirmation is added again. A refused item is lost, and the other items continue. Lost
    outcomes of games with moves are logged with all their fields. `registry` receives the metrics.
    """

    def __init__(self, store: Store, registry: CollectorRegistry) -> None:
        self._store = store
        self.state = DatabaseState()
        self.lost_records = 0
        """The number of records of games that the database has refused."""
        self._changes: deque[_Change] = deque()
        self._bytes = 0
        self._waiting = dict.fromkeys(_METRICS, 0)
        """The number of items of each kind that wait to be written."""
        self._fates: dict[_Kind, Counter] = {}
        for kind, (name, what) in _METRICS.items():
            fates = Counter(name, f"{what} that were written or lost.", ["fate"], registry=registry)
            for fate in ("written", "lost"):
                fates.labels(fate)
            self._fates[kind] = fates
            gauge = Gauge(f"{name}_waiting", f"{what} that wait to be written.", registry=registry)
            gauge.set_function(partial(self._waiting.__getitem__, kind))
        self._arrived, self._has_room = asyncio.Event(), asyncio.Event()
        self._hurry = asyncio.Event()
        """Set if somebody waits for what is written."""
        self._is_ending = False
        self.opened = asyncio.Event()
        """Set when the store is prepared."""
        self._note_waiting()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._write_all())
        return self

    async def failed(self) -> None:
        """Wait until a fault has ended the writing. Then leaving this manager raises the fault."""
        await asyncio.wait([self._task])

    async def __aexit__(self, *_: object) -> None:
        self._is_ending = True
        self._hurry.set()
        if self._changes and not self._task.done():
            with suppress(TimeoutError):
                await asyncio.wait_for(self.written(()), _FLUSH)
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    @property
    def waiting(self) -> int:
        """The number of items that wait to be written."""
        return sum(self._waiting.values())

    def add(self, items: Sequence[Item], then: Callable[[], None] = lambda: None, least: int = 0) -> None:
        """Store items in one transaction, later. Call `then` as soon as they are stored or refused.

        `least` are the bytes in memory that `then` keeps.
        """
        change = _Change(items, then, max(least, sum(LEAST_BYTES + size_of(item) for item in items)))
        self._changes.append(change)
        self._note_waiting(change, 1)

    async def written(self, items: Sequence[Item]) -> None:
        """Add items, and wait until they are stored or refused."""
        stored = asyncio.Event()
        self.add(items, stored.set)
        await stored.wait()

    async def room(self) -> None:
        """Wait until few enough changes wait."""
        await self._has_room.wait()

    async def flushed(self, game: str) -> None:
        """Wait until no item of a game waits."""
        if any(_is_of(item, game) for change in self._changes for item in change.items):
            self._hurry.set()
            await self.written(())

    async def _write_all(self) -> None:
        try:
            # The upgrade of a large database takes its time. The driver's timeouts end a lost one.
            await self._retry(self._store.prepare, timeout=None)
            log.info("outcomes are recorded", store=self._store.name)
            self.opened.set()
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._write_changes())
                tasks.create_task(self._tidy())
        except Exception as error:
            log.error("nothing is stored any more", store=self._store.name, exc_info=error)
            raise

    async def _write_changes(self) -> None:
        while True:
            await self._arrived.wait()
            if self._bytes < _BATCH_BYTES:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._hurry.wait(), _LINGER)
            if not self._is_ending:
                self._hurry.clear()
            batch = self._batch()
            await self._write([item for change in batch for item in change.items])
            for number, change in enumerate(batch, 1):
                self._changes.popleft()
                self._note_waiting(change, -1)
                try:
                    change.then()
                except Exception as error:
                    # A fault of those who learn of it must not end the writing.
                    FAULTS.error(log, "stored change not told", exc_info=error)
                if number % _TOLD_AT_ONCE == 0:
                    await asyncio.sleep(0)

    def _batch(self) -> list[_Change]:
        """Return the oldest changes, as many as one transaction takes."""
        batch: list[_Change] = []
        items = size = 0
        for change in self._changes:
            items, size = items + len(change.items), size + change.size
            if batch and (items > _AT_ONCE or size > _BATCH_BYTES):
                break
            batch.append(change)
        return batch

    async def _tidy(self) -> None:
        reason = ""
        while True:
            await asyncio.sleep(_TIDIED_EVERY)
            before, reason = reason, ""
            try:
                async with asyncio.timeout(_TIDY_TIMEOUT):
                    await self._store.tidy()
            except Exception as error:
                # A database that is lost is logged by the writer.
                reason = in_a_line(error)
                if reason != before:
                    log.warning("old rows are not removed", store=self._store.name, reason=reason)

    async def _write(self, items: Sequence[Item]) -> None:
        """Write items. Halve a refused batch until each refused item is alone."""
        if not items:
            return
        try:
            await self._retry(partial(self._store.add, items))
        except RefusedError as error:
            if len(items) == 1:
                self._lose(items[0], f"the database refuses it: {error}")
                return
            middle = len(items) // 2
            await self._write(items[:middle])
            await self._write(items[middle:])
        else:
            for item in items:
                self._fates[_kind(item)].labels("written").inc()

    async def _retry(
        self, attempt: Callable[[], Awaitable[None]], timeout: float | None = _ATTEMPT_TIMEOUT
    ) -> None:
        """Repeat an attempt until it succeeds. Raises RefusedError if the store refuses an item."""
        backoff = _FIRST_BACKOFF
        while True:
            try:
                async with asyncio.timeout(timeout):
                    await attempt()
                return self._note_success()
            except RefusedError:
                self._note_success()
                raise
            except Exception as error:
                # SQLAlchemy, its drivers and the network share no base exception.
                self._note_failure(in_a_line(error), REMEDY if is_incurable(error) else "")
            await asyncio.sleep(backoff)
            backoff = min(2 * backoff, _MAX_BACKOFF)

    def _lose(self, item: Item, reason: str) -> None:
        self._fates[_kind(item)].labels("lost").inc()
        if not isinstance(item, Outcome):
            self.lost_records += 1
            log.error("a record of a game is lost", reason=reason)
        elif item.moves:
            log.error("outcome lost", reason=reason, **msgspec.to_builtins(item))

    def _note_failure(self, reason: str, remedy: str) -> None:
        """Log a lost database once, for any number of attempts. A loss that needs a remedy is an error."""
        if self.state.failed(reason, remedy):
            tell = log.error if remedy else log.warning
            reason = "; ".join(filter(None, (reason, remedy)))
            tell("database lost", store=self._store.name, reason=reason, waiting=self.waiting)

    def _note_success(self) -> None:
        if self.state.succeeded():
            log.warning("database back", store=self._store.name, waiting=self.waiting)

    def _note_waiting(self, change: _Change | None = None, sign: int = 1) -> None:
        """Note that a change waits, or no longer waits."""
        if change:
            self._bytes += sign * change.size
            for item in change.items:
                self._waiting[_kind(item)] += sign
        for event, is_set in (
            (self._arrived, bool(self._changes)),
            (self._has_room, self._bytes < MOST_BYTES),
        ):
            if is_set:
                event.set()
            else:
                event.clear()


def _is_of(item: Item, game: str) -> bool:
    """Return whether an item changes a game."""
    return item.game_id == game or (isinstance(item, Renamed) and item.new_id == game)


def _kind(item: Item) -> _Kind:
    return "outcomes" if isinstance(item, Outcome) else "records"
