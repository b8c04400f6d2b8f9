"""The aiohttp application. It owns the parts of a gateway, and answers the last moves before it ends."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from aiohttp import web

from battlesnake_search.children.service import Service
from battlesnake_search.common.memory import returning_memory
from battlesnake_search.common.sparse import Sparse
from battlesnake_search.ports import headers, passwords
from battlesnake_search.ports.bounds import LARGEST_BODY
from battlesnake_search.ports.connections import whole_requests
from battlesnake_search.ports.headers import UntidyPaths
from console.app import Console
from console.experiments import api
from gateway import readiness, webhooks
from gateway.game.events import Event, Events, Subscriber
from gateway.game.lifecycle import Games
from gateway.game.log import GameLog
from gateway.game.recording import recorded_event
from gateway.metrics import METRICS, Metrics
from gateway.play.player import Player
from gateway.play.shadows import Shadows
from gateway.recent import RECENT, Recent
from gateway.routes.config import DEFAULT_PATH
from gateway.routes.evaluator_watch import evaluator_folders, watching
from gateway.routes.reload import ROUTES, RoutesInForce
from gateway.searchers.pool import SearcherPool
from gateway.settings import Settings
from gateway.status import Reporter

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
        asking = passwords.required(settings.admin_tokens, app[METRICS].port.count_refused_password, private)
        app.middlewares.append(asking)
    app.on_response_prepare.append(headers.adding())
    app.on_shutdown.append(_hurry)
    app[ROUTES] = RoutesInForce(settings.routes, settings.strategy, RESERVED_PATHS, settings.looks)
    app[api.DATABASE], app[api.REPORTING] = settings.outcomes, asyncio.Lock()
    app.cleanup_ctx.append(partial(_playing, settings=settings, started=started))
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
        console = await stack.enter_async_context(
            Console(settings.console, metrics.registry, app[api.REPORTING])
        )

        def record(event: Event) -> None:
            if (recorded := recorded_event(event)) is not None:
                console.take(recorded)

        subscribers: list[Subscriber] = [metrics.take, GameLog().take, record]
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
        await stack.enter_async_context(console.reviewing(pool))
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
        async with console.serving(Reporter(app), pool, metrics.port):
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
