"""The aiohttp application. It owns the parts of a gateway, and answers the last moves before it ends."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial

from aiohttp import web

from battlesnake_search.children.service import Service
from battlesnake_search.common.memory import returning_memory
from battlesnake_search.common.sparse import Sparse
from battlesnake_search.contract.limits import LARGEST_BODY
from battlesnake_search.plan import OWN
from battlesnake_search.ports import headers, passwords
from battlesnake_search.ports.connections import whole_requests
from battlesnake_search.ports.headers import UntidyPaths
from gateway import readiness, webhooks
from gateway.game.events import Events, Subscriber
from gateway.game.log import GameLog
from gateway.game.running_games import Games
from gateway.metrics import METRICS, Metrics
from gateway.outbox.outbox import Outbox
from gateway.outbox.own_console import linked
from gateway.play.player import Player
from gateway.play.shadows import Comparison, Shadows
from gateway.recent import RECENT, Recent, RecentArms
from gateway.routes.config import DEFAULT_PATH
from gateway.routes.evaluator_watch import evaluator_folders, watching
from gateway.routes.reload import ROUTES, RoutesInForce
from gateway.searchers.pool import SearcherPool
from gateway.settings import NO_CONSOLE, Settings

_INTERVAL = 30.0
"""Seconds between two searches for abandoned games."""

_HEAD_START = 1.0
_LOOK = 0.05
"""The most seconds that the gateway's own console waits for the searcher, and those between two looks."""

LISTENS = web.AppKey("listens", asyncio.Event)
"""Set when the gateway listens. Its own console starts after that."""

HANDLERS = (*webhooks.HANDLERS, *readiness.HANDLERS)
"""The handlers of the gateway's own paths and of the snake at /."""

METRICS_HANDLERS = readiness.METRICS_HANDLERS
"""The handlers for operators. The public port has them only if a setting asks for them."""

LAST_MOVES_SECONDS = 2.5
"""At shutdown, moves in progress have this many seconds. Most games have a shorter timeout."""

RESERVED_PATHS = frozenset(handler.path for handler in (*HANDLERS, *METRICS_HANDLERS)) - {DEFAULT_PATH}
"""The paths that no snake of a routes file may have."""


def build(settings: Settings, started: Service | None = None) -> web.Application:
    """Build a gateway. `started` is an embedded searcher that runs already.

    Raises TomlError if the routes file can't be read or is invalid.
    """
    app = web.Application(middlewares=[whole_requests], client_max_size=LARGEST_BODY)
    app[METRICS] = Metrics()
    app[LISTENS] = asyncio.Event()
    app[webhooks.REFUSED] = Sparse(burst=5)
    app[RECENT] = Recent()
    if settings.public_metrics and settings.admin_tokens:
        private = {handler.handler for handler in METRICS_HANDLERS}
        asking = passwords.required(settings.admin_tokens, app[METRICS].port.count_refused_password, private)
        app.middlewares.append(asking)
    app.on_response_prepare.append(headers.adding())
    app.on_shutdown.append(_hurry)
    app[ROUTES] = RoutesInForce(settings.routes, settings.strategy, RESERVED_PATHS, settings.looks)
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
    """Own the player, the searchers and the outbox while the application runs.

    Parts end in reverse order: the moves, the waiting events, the console, and at last the searcher.
    """
    async with AsyncExitStack() as stack:
        metrics, enter = app[METRICS], stack.enter_async_context

        pool = SearcherPool(
            settings.searcher,
            credentials=settings.credentials,
            started=started,
            on_ended=partial(_child_ended, app, "searcher"),
        )
        app[readiness.POOL] = await enter(pool)
        arms = RecentArms(asyncio.get_running_loop().time)
        app[readiness.READINESS] = readiness.Readiness(pool, app[ROUTES], arms)
        subscribers: list[Subscriber] = [metrics.take, GameLog().take, app[RECENT].take, arms.take]
        if settings.console != NO_CONSOLE:
            outbox = Outbox(settings.port)
            metrics.outbox.read = lambda: (outbox.waiting, outbox.size, outbox.dropped)
            first_moves, ended = partial(_first_moves, app), partial(_child_ended, app, "console")
            app[webhooks.LINK] = link = await enter(linked(app, settings, outbox, first_moves, ended))
            subscribers.append(link.take)
        app[webhooks.EVENTS] = events = await enter(Events(subscribers))
        app[webhooks.GAMES] = played = Games(asyncio.get_running_loop().time, events.publish)
        await enter(_looking_after(played))
        await enter(returning_memory())
        metrics.games.watch(lambda: played.playing, lambda: metrics.moves.waiting)
        await enter(metrics.event_loop.watching())

        def compare(comparison: Comparison) -> None:
            metrics.shadows.count(comparison)
            played.compare(comparison)

        shadows = await enter(Shadows(pool, compare, metrics.shadows.count_dropped))
        await enter(app[ROUTES].running(pool))
        if settings.watch:
            await enter(watching(pool, app[ROUTES], evaluator_folders()))
        app[webhooks.PLAYER] = Player(pool, shadows, settings.max_timeout)
        # The objects created so far live until the end. Collecting them again and again would pause moves for
        # milliseconds.
        gc.collect()
        gc.freeze()
        yield


def _child_ended(app: web.Application, service: str, refused: bool) -> None:
    """Count an end of a child process. `refused`: the process refuses its settings."""
    app[METRICS].restarts[service].inc()
    app[RECENT].count(f"{service}_restarts")
    if refused:
        app[ROUTES].refuse_settings(f"the {service}")


async def _first_moves(app: web.Application) -> None:
    """Wait until the gateway listens, and then until its own searcher serves, for at most a second.

    The start of a console takes a core for a second, and would make the first moves late.
    """
    await app[LISTENS].wait()
    with suppress(TimeoutError):
        async with asyncio.timeout(_HEAD_START):
            while app[readiness.POOL].embedded_metrics and await app[readiness.POOL][OWN].trouble():
                await asyncio.sleep(_LOOK)


@asynccontextmanager
async def _looking_after(games: Games) -> AsyncIterator[None]:
    """Drop old games at intervals. At shutdown, publish the running games' outcomes."""

    async def look() -> None:
        while True:
            await asyncio.sleep(_INTERVAL)
            games.drop_old()

    task = asyncio.create_task(look())
    try:
        yield
    finally:
        task.cancel()
        games.close()
