"""The aiohttp application; while it runs it owns the pool of searchers and the recorder of outcomes."""

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

from aiohttp import web

from battlesnake_search.channels import Credentials
from battlesnake_search.common.access import TokenFile
from gateway import readiness as probes
from gateway import webhooks
from gateway.admin import app as admin_app
from gateway.admin import arena as admin_arena
from gateway.admin import games as admin_games
from gateway.admin.address import AdminAddress
from gateway.experiments import page
from gateway.game.events import Events, Subscriber
from gateway.game.games import Games
from gateway.log import GameLog
from gateway.metrics import METRICS, Metrics
from gateway.play.budget import LONGEST_TIMEOUT
from gateway.play.player import Player
from gateway.play.shadows import Shadows
from gateway.ports import headers, passwords
from gateway.ports.connections import whole_requests
from gateway.ports.paths import UntidyPaths
from gateway.replay.address import DEFAULT_SERVERS
from gateway.replay.imports import Importer
from gateway.routes.config import DEFAULT_PATH
from gateway.routes.looks import Looks
from gateway.routes.reload import ROUTES, RoutesInForce
from gateway.searchers.pool import SearcherPool
from gateway.searchers.service import SEARCHER_COMMAND, Service
from gateway.store.database import NO_DATABASE, OutcomesDatabase
from gateway.store.feed import Feed
from gateway.store.late import LateStore
from gateway.store.library import Library
from gateway.store.memory import Memory
from gateway.store.recorder import GameRecorder, OutcomeRecorder
from gateway.store.records import DEFAULT_BOUNDS, Bounds
from gateway.store.writer import DatabaseState, Sink, Writer

_LOOKS = 30.0
"""Seconds between two looks for games whose engine has sent nothing for long."""

HANDLERS = (*webhooks.HANDLERS, *probes.HANDLERS)
"""The handlers of the gateway's own paths and of the snake at /."""

METRICS_HANDLERS = (*probes.METRICS_HANDLERS, *page.HANDLERS)
"""The handlers that the public port has only on request: they show what only operators should see."""

LAST_MOVES_SECONDS = 2.5
"""The seconds at shutdown in which running moves are answered. Most timeouts of games are shorter."""

RESERVED_PATHS = frozenset(handler.path for handler in (*HANDLERS, *METRICS_HANDLERS)) - {DEFAULT_PATH}
"""The paths that no snake of a routes file may have."""


def build(
    target: str,
    strategy: str,
    command: Sequence[str] = SEARCHER_COMMAND,
    routes_file: Path | None = None,
    outcomes: OutcomesDatabase = NO_DATABASE,
    looks: Looks | None = None,
    games: Bounds | None = DEFAULT_BOUNDS,
    admin: AdminAddress | None = None,
    public_metrics: bool = False,
    arena: Path | None = None,
    credentials: Credentials | None = None,
    admin_tokens: TokenFile | None = None,
    longest_timeout: float = LONGEST_TIMEOUT,
    started: Service | None = None,
    replay_servers: Collection[str] = DEFAULT_SERVERS,
) -> web.Application:
    """Build the gateway with the snakes of a routes file; without one, with a single snake.

    `target` is the gRPC target for routes that name no searcher; empty: an embedded searcher, started by
    `command`. `strategy`, as search/evaluator, is played at / unless the file has a snake there; empty: the
    searcher's default. `looks` is the appearance of that snake. `outcomes` is the database for outcomes
    and games. `games` bounds the recorded games; None: none are recorded. `admin` is the address of the admin
    port; None: there is none. `public_metrics`: whether the public port has /metrics and /experiments too.
    `arena` is the folder of matches that the console shows. `credentials` are shown to remote searchers.
    `admin_tokens`: for the admin port, and for
    /metrics and /experiments on the public one; None: nobody is asked for a token. `longest_timeout`: the
    milliseconds to which longer timeouts of games are shortened. `started` is the embedded searcher, if it
    runs already. `replay_servers` are the servers from which the console reads games, as HOST or HOST:PORT.
    Raises OSError if the routes file can't be read, and TomlError if it is invalid.
    """
    app = web.Application(middlewares=[whole_requests])
    app[METRICS] = Metrics()
    if public_metrics and admin_tokens:
        private = {handler.handler for handler in METRICS_HANDLERS}
        asking = passwords.required(admin_tokens, app[METRICS].count_refused_password, private)
        app.middlewares.append(asking)
    app.on_response_prepare.append(headers.adding())
    app.on_shutdown.append(_hurry)
    app[ROUTES] = RoutesInForce(routes_file, strategy, RESERVED_PATHS, looks)
    app[page.DATABASE], app[page.REPORTING] = outcomes, asyncio.Lock()
    make_pool = partial(SearcherPool, target, command, credentials, started)
    record = partial(_recorders, app, database=outcomes, bounds=games, servers=replay_servers)
    app.cleanup_ctx.append(_playing(make_pool, record, longest_timeout))
    if arena:
        app[admin_arena.FOLDER] = arena
    if admin:
        app.cleanup_ctx.append(partial(admin_app.serving, address=admin, tokens=admin_tokens))
    app.add_routes((*HANDLERS, *METRICS_HANDLERS) if public_metrics else HANDLERS)
    if routes_file or app[ROUTES].current.default.token:
        app.add_routes(webhooks.SNAKE_HANDLERS)
    app.router.register_resource(UntidyPaths(app.router))
    return app


async def _hurry(app: web.Application) -> None:
    """Answer the running moves before the server drops them: with the best depth so far, if they are long."""
    app[probes.POOL].hurry(LAST_MOVES_SECONDS)


def _playing(
    make_pool: Callable[[], SearcherPool],
    record: Callable[[AsyncExitStack], Awaitable[list[Subscriber]]],
    longest_timeout: float,
) -> Callable[[web.Application], AsyncIterator[None]]:
    async def playing(app: web.Application) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            metrics = app[METRICS]
            subscribers = [metrics.take, GameLog().take, *await record(stack)]
            events = await stack.enter_async_context(Events(subscribers))
            app[webhooks.GAMES] = played = Games(asyncio.get_running_loop().time, events.publish)
            await stack.enter_async_context(_looking_after(played))
            metrics.games.playing.set_function(lambda: played.playing)
            await stack.enter_async_context(metrics.event_loop.watching())
            pool = await stack.enter_async_context(make_pool())
            shadows = await stack.enter_async_context(Shadows(pool, metrics.shadows, played.compare))
            await stack.enter_async_context(app[ROUTES].running(pool))
            app[probes.POOL] = pool
            app[probes.READINESS] = probes.Readiness(pool, app[ROUTES])
            app[webhooks.PLAYER] = Player(pool, shadows, longest_timeout)
            # What is allocated so far lives until the end; collecting it repeatedly would pause moves for
            # milliseconds.
            gc.collect()
            gc.freeze()
            yield

    return playing


@asynccontextmanager
async def _looking_after(games: Games) -> AsyncIterator[None]:
    """Drop old games now and then; at the end, publish what is known of those that go on."""

    async def drop_old() -> None:
        while True:
            await asyncio.sleep(_LOOKS)
            games.drop_old()

    task = asyncio.create_task(drop_old())
    try:
        yield
    finally:
        task.cancel()
        games.close()


async def _recorders(
    app: web.Application,
    stack: AsyncExitStack,
    database: OutcomesDatabase,
    bounds: Bounds | None,
    servers: Collection[str],
) -> list[Subscriber]:
    """Return the recorders of outcomes and games, and give the application the readers of games.

    They write until the stack ends. Without a database games are only in memory.
    """
    metrics, store, sink = app[METRICS], None, Sink()
    if database.url:
        store = await stack.enter_async_context(LateStore(database.url, bounds))
        app[probes.DATABASE] = state = DatabaseState()
        sink = await stack.enter_async_context(Writer(store, metrics, state))
    recorders: list[Subscriber] = [OutcomeRecorder(sink).take]
    if bounds is not None:
        memory = Memory(bounds.games)
        app[admin_games.FEED] = feed = Feed()
        app[admin_games.LIBRARY] = library = Library(memory, store)
        app[admin_games.IMPORTER] = Importer(memory, library, sink.put, servers)
        recorders.append(GameRecorder(memory, feed, metrics.records, sink.put).take)
    return recorders
