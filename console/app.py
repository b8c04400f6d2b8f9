"""The console: its parts, and its process, which a signal ends."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Self

from grpc_health.v1 import health_pb2, health_pb2_grpc
from prometheus_client import CollectorRegistry, ProcessCollector

from battlesnake_search.channels import Credentials
from battlesnake_search.common import tracing
from battlesnake_search.common.cli import stopping
from battlesnake_search.common.logs import get_logger
from battlesnake_search.common.memory import returning_memory
from battlesnake_search.common.metrics import BuildInfo, EventLoopMetrics
from battlesnake_search.common.sockets import SocketFolder
from battlesnake_search.contract import record_pb2_grpc
from battlesnake_search.ports.metrics import PortMetrics
from battlesnake_search.serving import metrics_port
from battlesnake_search.serving.port import OPEN_PORT, Port, PortSettings
from battlesnake_search.serving.standard_services import HEALTH_SERVICE, HealthService, Reflection
from console.gateway import Gateways
from console.record_service import SERVICE, RecordService
from console.replay.remote import Importer
from console.reviews.reviewer import Reviewer
from console.searchers import Searchers
from console.settings import CONSOLE, Settings
from console.store.database import read_database
from console.store.feed import Feed
from console.store.library import Library
from console.store.live import LiveGames
from console.store.recorder import Recorder
from console.store.records import Bounds, Header
from console.store.store import Store
from console.store.writer import Writer
from console.web import analysis, blunders, experiments, films, frames, games, port, public

log = get_logger(__name__)

_GRACE = 1.0
"""Seconds in which gateways learn what is stored before the port closes."""

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
        self._registry = registry
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
        self.feed = feed = Feed()
        self._writer = await enter(Writer(self._store, self._registry))
        live = LiveGames()
        self.library = library = Library(live, self._store, self._writer.flushed)
        reviewer = Reviewer(
            library, self._store, self._writer, self._searchers, after_losses=settings.reviews
        )
        await enter(reviewer.running())
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
                    games.WRITER: self._writer,
                    games.DATABASE: settings.outcomes,
                    games.GATEWAYS: self.gateways,
                    port.REGISTRY: self._registry,
                    port.SOCKETS: settings.metrics_from,
                    analysis.SEARCHERS: self._searchers,
                    analysis.SLOTS: asyncio.Semaphore(analysis.MOST),
                    films.SLOTS: asyncio.Semaphore(films.MOST),
                    experiments.REPORTING: asyncio.Lock(),
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
        await self._writer.failed()

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


async def serve(
    listen: str,
    settings: Settings,
    searcher: str,
    credentials: Credentials | None,
    port_settings: PortSettings = OPEN_PORT,
) -> None:
    """Serve until SIGTERM or SIGINT, or until a fault ends the storing, which is raised.

    Raises ListenError if an address is unavailable, and SettingsError if a file of the port can't be used.
    """
    registry = CollectorRegistry()
    ProcessCollector("console", registry=registry)
    BuildInfo("console", registry)
    tracing.configure("battlesnake-console")
    loop_metrics = EventLoopMetrics("console", registry)
    ports = metrics_port.MetricsPorts(registry, loop_metrics)
    counters = metrics_port.PortMetrics("console_record", registry)
    own = (searcher,) if searcher else ()
    stopped = stopping()
    async with (
        returning_memory(),
        loop_metrics.watching(),
        # The addresses are taken before the console opens its database and its pages.
        _bound(Port(listen, port_settings, CONSOLE, counters, ports)) as port,
        # Only a gateway can reach its own console.
        Searchers(own, credentials, trusts_gateways=settings.folder is not None) as searchers,
        Console(settings, searchers, registry) as console,
    ):
        record_pb2_grpc.add_RecordServiceServicer_to_server(console.service, port.server)
        port.server.add_generic_rpc_handlers((Reflection((SERVICE, HEALTH_SERVICE)),))
        healths = HealthService()
        for each in port.health_servers:
            health_pb2_grpc.add_HealthServicer_to_server(healths, each)
        for name in ("", SERVICE):
            healths.set(name, health_pb2.HealthCheckResponse.SERVING)
        log.info("console listens", address=await port.start())
        gc.collect()
        gc.freeze()
        failed = asyncio.create_task(console.failed())
        # After a fault, whoever has started this process starts another one.
        await asyncio.wait((stopped, failed), return_when=asyncio.FIRST_COMPLETED)
        failed.cancel()
        await port.stop(_GRACE)
    await asyncio.to_thread(tracing.close)


@asynccontextmanager
async def _bound(port: Port) -> AsyncIterator[Port]:
    """Yield a port that has taken its addresses, and stop it at the end if nothing else has stopped it."""
    try:
        await port.bind()
        yield port
    finally:
        await port.stop(0)
