"""The console: it records the events of games, and serves pages about them on the admin port."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Self

from prometheus_client import CollectorRegistry

from battlesnake_search.ports.metrics import PortMetrics
from battlesnake_search.record.events import Event, deliver
from console.experiments import api
from console.gateway import Gateway
from console.replay.remote import Importer
from console.reviews.reviewer import Reviewer
from console.searchers import Searchers
from console.settings import Settings
from console.store.feed import Feed
from console.store.late_store import LateStore
from console.store.library import Library
from console.store.memory import MAX_BYTES, MAX_BYTES_BESIDE_DATABASE, Memory
from console.store.metrics import RecordMetrics
from console.store.recorder import GameRecorder, OutcomeRecorder
from console.store.reviews import StoredReviews
from console.store.writer import DatabaseState, Sink, Writer
from console.web import analysis, blunders, games, port


class Console:
    """Takes the events of games, and records them until the context ends. An asynchronous context manager.

    Without a database, games are only in memory.
    """

    def __init__(self, settings: Settings, registry: CollectorRegistry, reporting: asyncio.Lock) -> None:
        """`registry` receives the metrics. `reporting` is held by the only report that runs."""
        self._settings = settings
        self._metrics = RecordMetrics(registry)
        self._parts: port.Parts = {
            games.METRICS: self._metrics,
            api.DATABASE: settings.outcomes,
            api.REPORTING: reporting,
            analysis.SLOTS: asyncio.Semaphore(analysis.MOST),
        }
        self._stack = AsyncExitStack()
        self._takers: list[Callable[[Event], None]] = []
        self._reviewer: Reviewer | None = None

    async def __aenter__(self) -> Self:
        settings, store, sink = self._settings, None, Sink()
        if settings.outcomes.url:
            late = LateStore(settings.outcomes.url, settings.games, settings.outcomes_bytes)
            store = await self._stack.enter_async_context(late)
            self._parts[games.DATABASE] = state = DatabaseState()
            sink = await self._stack.enter_async_context(Writer(store, self._metrics, state))
        self._takers.append(OutcomeRecorder(sink).take)
        if settings.games is not None:
            most_bytes = MAX_BYTES_BESIDE_DATABASE if store else MAX_BYTES
            self._show_games(Memory(settings.games.games, most_bytes), store, sink)
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._stack.aclose()

    def _show_games(self, memory: Memory, store: LateStore | None, sink: Sink) -> None:
        self._parts[games.FEED] = feed = Feed()
        self._parts[games.LIBRARY] = library = Library(memory, store)
        self._parts[games.IMPORTER] = Importer(memory, library, sink.put, self._settings.replay_servers)
        recorder = GameRecorder(memory, feed, self._metrics.records, sink.put)
        stored = StoredReviews(memory, store, sink.put)
        self._reviewer = Reviewer(library, stored, after_losses=self._settings.reviews)
        self._parts[blunders.REVIEWER] = self._reviewer
        # The reviewer reads the game that the recorder has added before.
        self._takers += (recorder.take, self._reviewer.take)

    def take(self, event: Event) -> None:
        """Record an event of a game. A fault of one recorder is logged, and costs the others nothing."""
        deliver(event, self._takers)

    @asynccontextmanager
    async def reviewing(self, searchers: Searchers) -> AsyncIterator[None]:
        """Review games by the searchers until the block ends."""
        if self._reviewer is None:
            yield
            return
        async with self._reviewer.running(searchers):
            yield

    @asynccontextmanager
    async def serving(
        self, gateway: Gateway, searchers: Searchers, counters: PortMetrics
    ) -> AsyncIterator[None]:
        """Serve the admin port until the block ends, if the settings have one."""
        address = self._settings.admin
        if address is None:
            yield
            return
        parts = self._parts | {games.GATEWAY: gateway, games.ADDRESS: address, analysis.SEARCHERS: searchers}
        async with port.serving(parts, address, self._settings.admin_tokens, counters):
            yield
