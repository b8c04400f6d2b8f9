"""The aiohttp application. It owns the parts of a gateway, and answers the last moves before it ends."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from aiohttp import web

from battlesnake_search.board import LARGEST_BODY
from battlesnake_search.common.memory import returning_memory
from battlesnake_search.common.sparse import Sparse
from gateway import readiness, webhooks
from gateway.console import app as admin_app
from gateway.console import blunders as admin_blunders
from gateway.console import games as admin_games
from gateway.console.reviewer import Reviewer
from gateway.experiments import api
from gateway.game.events import Events, Subscriber
from gateway.game.lifecycle import Games
from gateway.game.log import GameLog
from gateway.metrics import METRICS, Metrics
from gateway.play.player import Player
from gateway.play.shadows import Shadows
from gateway.ports import headers, passwords
from gateway.ports.connections import whole_requests
from gateway.ports.headers import UntidyPaths
from gateway.recent import RECENT, Recent
from gateway.replay.remote import Importer
from gateway.routes.config import DEFAULT_PATH
from gateway.routes.reload import ROUTES, RoutesInForce
from gateway.routes.renewal import evaluator_folders, watching
from gateway.searchers.pool import SearcherPool
from gateway.searchers.service import Service
from gateway.settings import Settings
from gateway.store.feed import Feed
from gateway.store.late_store import LateStore
from gateway.store.library import Library
from gateway.store.memory import MAX_BYTES, MAX_BYTES_BESIDE_DATABASE, Memory
from gateway.store.recorder import GameRecorder, OutcomeRecorder
from gateway.store.reviews import StoredReviews
from gateway.store.writer import DatabaseState, Sink, Writer

_INTERVAL = 30.0
"""Seconds between two searches for abandoned games, and between two readings of the metrics."""

HANDLERS = (*webhooks.HANDLERS, *readiness.HANDLERS)
"""The handlers of the gateway's own paths and of the snake at /."""

METRICS_HANDLERS = (*readiness.METRICS_HANDLERS, *api.HANDLERS)
"""The handlers for operators. The public port has them only if a setting asks for them."""

LAST_MOVES_SECONDS = 2.5
"""At shutdown, moves in progress have this many seconds. Most games have a shorter timeout."""

RESERVED_PATHS = frozenset(handler.path for handler in (*HANDLERS, *METRICS_HANDLERS)) - {DEFAULT_PATH}
"""The paths that no snake of a routes file may have."""


def build(settings: Settings, started: Service | None = None) -> web.Application:
    """Build a gateway. `started` is an embedded searcher that runs already.

    Raises OSError if the routes file can't be read, and TomlError if it is invalid.
    """
    app = web.Application(middlewares=[whole_requests], client_max_size=LARGEST_BODY)
    app[METRICS] = Metrics()
    app[webhooks.REFUSED] = Sparse(burst=5)
    app[RECENT] = Recent(app[METRICS])
    if settings.public_metrics and settings.admin_tokens:
        private = {handler.handler for handler in METRICS_HANDLERS}
        asking = passwords.required(settings.admin_tokens, app[METRICS].count_refused_password, private)
        app.middlewares.append(asking)
    app.on_response_prepare.append(headers.adding())
    app.on_shutdown.append(_hurry)
    app[ROUTES] = RoutesInForce(settings.routes, settings.strategy, RESERVED_PATHS, settings.looks)
    app[api.DATABASE], app[api.REPORTING] = settings.outcomes, asyncio.Lock()
    app.cleanup_ctx.append(partial(_playing, settings=settings, started=started))
    if settings.admin:
        serving = partial(admin_app.serving, address=settings.admin, tokens=settings.admin_tokens)
        app.cleanup_ctx.append(serving)
    app.add_routes((*HANDLERS, *METRICS_HANDLERS) if settings.public_metrics else HANDLERS)
    if settings.routes or app[ROUTES].current.default.token:
        app.add_routes(webhooks.SNAKE_HANDLERS)
    app.router.register_resource(UntidyPaths(app.router))
    return app


async def _hurry(app: web.Application) -> None:
    """Answer the running moves before the server drops them: long searches return their best depth."""
    app[readiness.POOL].hurry(LAST_MOVES_SECONDS)


async def _playing(app: web.Application, settings: Settings, started: Service | None) -> AsyncIterator[None]:
    """Own the player, the searchers and the recorders while the application runs."""
    async with AsyncExitStack() as stack:
        metrics = app[METRICS]
        subscribers = [metrics.take, GameLog().take, *await _recorders(app, stack, settings)]
        events = await stack.enter_async_context(Events(subscribers))
        app[webhooks.GAMES] = played = Games(asyncio.get_running_loop().time, events.publish)
        await stack.enter_async_context(_looking_after(played, app[RECENT]))
        await stack.enter_async_context(returning_memory())
        metrics.games.watch(lambda: played.playing, lambda: metrics.moves.waiting)
        await stack.enter_async_context(metrics.event_loop.watching())

        def ended(refused: bool) -> None:
            metrics.count_restart()
            if refused:
                app[ROUTES].refuse_settings()

        pool = SearcherPool(
            settings.searcher, credentials=settings.credentials, started=started, on_ended=ended
        )
        await stack.enter_async_context(pool)
        if reviewer := app.get(admin_blunders.REVIEWER):
            await stack.enter_async_context(reviewer.running(pool))
        shadows = await stack.enter_async_context(Shadows(pool, metrics.shadows, played.compare))
        await stack.enter_async_context(app[ROUTES].running(pool))
        if settings.watch:
            await stack.enter_async_context(watching(pool, app[ROUTES], evaluator_folders()))
        app[readiness.POOL] = pool
        app[readiness.READINESS] = readiness.Readiness(pool, app[ROUTES])
        app[webhooks.PLAYER] = Player(pool, shadows, settings.max_timeout)
        # The objects created so far live until the end. Collecting them again and again would pause moves for
        # milliseconds.
        gc.collect()
        gc.freeze()
        yield


@asynccontextmanager
async def _looking_after(games: Games, recent: Recent) -> AsyncIterator[None]:
    """Drop old games and read the metrics at intervals. At shutdown, publish the running games' outcomes."""

    async def look() -> None:
        while True:
            await asyncio.sleep(_INTERVAL)
            games.drop_old()
            recent.look()

    task = asyncio.create_task(look())
    try:
        yield
    finally:
        task.cancel()
        games.close()


async def _recorders(app: web.Application, stack: AsyncExitStack, settings: Settings) -> list[Subscriber]:
    """Return the recorders of outcomes and games, and give the application the readers of games.

    They write until the stack ends. Without a database games are only in memory.
    """
    metrics, store, sink = app[METRICS], None, Sink()
    if settings.outcomes.url:
        late = LateStore(settings.outcomes.url, settings.games, settings.outcomes_bytes)
        store = await stack.enter_async_context(late)
        app[readiness.DATABASE] = state = DatabaseState()
        sink = await stack.enter_async_context(Writer(store, metrics, state))
    recorders: list[Subscriber] = [OutcomeRecorder(sink).take]
    if settings.games is not None:
        memory = Memory(settings.games.games, MAX_BYTES_BESIDE_DATABASE if store else MAX_BYTES)
        app[admin_games.FEED] = feed = Feed()
        app[admin_games.LIBRARY] = library = Library(memory, store)
        app[admin_games.IMPORTER] = Importer(memory, library, sink.put, settings.replay_servers)
        recorders.append(GameRecorder(memory, feed, metrics.records, sink.put).take)
        stored = StoredReviews(memory, store, sink.put)
        app[admin_blunders.REVIEWER] = reviewer = Reviewer(library, stored, after_losses=settings.reviews)
        # It reads what the recorder of games has recorded.
        recorders.append(reviewer.take)
    return recorders
