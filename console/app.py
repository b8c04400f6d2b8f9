"""The console: it records the events of gateways, and serves pages about their games."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Self

from prometheus_client import CollectorRegistry

from battlesnake_search.common.sockets import SocketFolder
from battlesnake_search.ports.metrics import PortMetrics
from console.experiments import api
from console.gateway import Gateways
from console.record_service import RecordService
from console.replay.remote import Importer
from console.reviews.reviewer import Reviewer
from console.searchers import Searchers
from console.settings import Settings
from console.store.database import read_database
from console.store.feed import Feed
from console.store.library import Library
from console.store.live import LiveGames
from console.store.metrics import RecordMetrics
from console.store.recorder import Recorder
from console.store.records import Bounds, Header
from console.store.reviews import StoredReviews
from console.store.store import Store
from console.store.writer import DatabaseState, Writer
from console.web import analysis, blunders, films, frames, games, port, probes, public

_TEMPORARY_BYTES = 40_000_000
"""The largest size of the games in a temporary file, if no database is named."""

_OPENING = 3.0
"""The most seconds that the pages wait for the database at the start."""

_PAUSE = 0.5
"""Seconds between two attempts to read a game's header while the database is lost."""


class Console:
    """The parts of a console. An asynchronous context manager: leaving it writes what waits.

    Without a database, games are in a temporary file until the console ends, or until the gateway ends whose
    own console it is. `registry` receives the metrics.
    """

    def __init__(self, settings: Settings, searchers: Searchers, registry: CollectorRegistry) -> None:
        self._settings = settings
        self._searchers = searchers
        self._metrics = RecordMetrics(registry)
        self._ports = PortMetrics("console_admin", registry)
        self._public = PortMetrics("console_public", registry)
        self.gateways = Gateways(searchers.name)

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            await self._start(stack)
            self._stack = stack.pop_all()
        return self

    async def _start(self, stack: AsyncExitStack) -> None:
        """Start all parts. `stack` ends them."""
        settings, enter = self._settings, stack.enter_async_context
        self._store = await enter(self._opened(stack))
        state, live = DatabaseState(), LiveGames()
        self.feed = feed = Feed()
        self._writer = await enter(Writer(self._store, self._metrics, state))
        self.library = library = Library(live, self._store, self._writer.flushed)
        stored = StoredReviews(self._store, self._writer)
        reviewer = Reviewer(library, stored, after_losses=settings.reviews)
        await enter(reviewer.running(self._searchers))
        recorder = Recorder(live if settings.games else None, self._header)
        self.service = RecordService(recorder, self._writer, feed, self.gateways, reviewer.take)
        closing = asyncio.create_task(self.service.close_silent_games())
        stack.callback(closing.cancel)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._writer.opened.wait(), _OPENING)
        await enter(
            self._serving(
                {
                    frames.BOARDS: settings.boards,
                    games.METRICS: self._metrics,
                    games.GATEWAYS: self.gateways,
                    probes.SOCKETS: settings.metrics_from,
                    analysis.SEARCHERS: self._searchers,
                    analysis.SLOTS: asyncio.Semaphore(analysis.MOST),
                    films.SLOTS: asyncio.Semaphore(films.MOST),
                    api.DATABASE: settings.outcomes,
                    api.REPORTING: asyncio.Lock(),
                    **({games.DATABASE: state} if settings.outcomes.url else {}),
                    **(
                        {
                            games.FEED: feed,
                            games.LIBRARY: library,
                            games.IMPORTER: Importer(library, self._writer, settings.replay_servers),
                            blunders.REVIEWER: reviewer,
                        }
                        if settings.games
                        else {}
                    ),
                }
            )
        )

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def failed(self) -> None:
        """Wait until a fault has ended the storing. Then leaving this manager raises the fault."""
        await self._writer.failed.wait()

    def _opened(self, stack: AsyncExitStack) -> Store:
        """Return the store of the settings, or one in a temporary file."""
        settings = self._settings
        if settings.outcomes.url:
            return Store(settings.outcomes.url, settings.games, settings.outcomes_bytes)
        # The next start of a service removes the folder that a killed console has left.
        folder = settings.folder or stack.enter_context(SocketFolder()).path
        bounds = Bounds(settings.games.games if settings.games else 1, _TEMPORARY_BYTES)
        return Store(read_database(str(folder / "games.sqlite")).url, bounds, _TEMPORARY_BYTES)

    async def _header(self, game: str) -> Header | None:
        """Return the header of a game in the database, as soon as the database can be read."""
        await self._writer.flushed(game)
        while True:
            try:
                return await self._store.header(game)
            except Exception:
                # SQLAlchemy, its drivers and the network share no base exception.
                await asyncio.sleep(_PAUSE)

    @asynccontextmanager
    async def _serving(self, parts: port.Parts) -> AsyncIterator[None]:
        """Serve the admin port and the public port, as far as the settings have them."""
        settings = self._settings
        async with AsyncExitStack() as stack:
            if admin := settings.admin:
                built = port.build(parts, admin, settings.admin_tokens, self._ports, settings.folder)
                await stack.enter_async_context(port.serving(*built, admin))
            if pages := settings.public_pages:
                await stack.enter_async_context(public.serving(parts, pages, self._public))
            yield
