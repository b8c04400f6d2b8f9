"""The aiohttp application; while it runs it owns the pool of searchers and the recorder of outcomes."""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

from aiohttp import web

from access.tokens import TokenFile
from battlesnake_search.credentials import Credentials
from gateway import readiness as probes
from gateway import webhooks
from gateway.admin import app as admin_app
from gateway.admin import arena as admin_arena
from gateway.admin import games as admin_games
from gateway.admin.address import AdminAddress
from gateway.experiments import page
from gateway.game.tally import Tallies
from gateway.metrics.metrics import METRICS, Metrics
from gateway.move_log import MoveLog
from gateway.play.budget import LONGEST_TIMEOUT
from gateway.play.player import Player
from gateway.play.shadows import Shadows
from gateway.ports import headers, passwords
from gateway.ports.connections import whole_requests
from gateway.replay.address import DEFAULT_SERVERS
from gateway.replay.imports import Importer
from gateway.routes.config import DEFAULT_PATH
from gateway.routes.looks import Looks
from gateway.routes.reload import ROUTES, RoutesInForce
from gateway.searchers.pool import SearcherPool
from gateway.searchers.service import SEARCHER_COMMAND, Service
from gateway.store.database import NO_DATABASE, OutcomesDatabase
from gateway.store.feed import Feed
from gateway.store.game_writer import writer
from gateway.store.late import LateStore
from gateway.store.late_games import LateGameStore
from gateway.store.library import Library, Shelf
from gateway.store.memory import Memory
from gateway.store.outcome_writer import Recorder, Writer
from gateway.store.recorder import GameRecorder, Games
from gateway.store.rows import DEFAULT_BOUNDS, Bounds, Row

HANDLERS = (*webhooks.HANDLERS, *probes.HANDLERS)
"""The handlers of the gateway's own paths and of the snake at /."""

METRICS_HANDLERS = (*probes.METRICS_HANDLERS, *page.HANDLERS)
"""The handlers that the public port has only on request: they show what only operators should see."""

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
    app[webhooks.MOVE_LOG] = MoveLog()
    app[ROUTES] = RoutesInForce(routes_file, strategy, RESERVED_PATHS, looks)
    app[page.DATABASE], app[page.REPORTING] = outcomes, asyncio.Lock()
    make_pool = partial(SearcherPool, target, command, credentials, started)
    keep_games = partial(_keeping, app, outcomes, games, replay_servers)
    app.cleanup_ctx.append(_playing(make_pool, keep_games, outcomes, longest_timeout))
    if arena:
        app[admin_arena.FOLDER] = arena
    if admin:
        app.cleanup_ctx.append(partial(admin_app.serving, address=admin, tokens=admin_tokens))
    app.add_routes((*HANDLERS, *METRICS_HANDLERS) if public_metrics else HANDLERS)
    if routes_file or app[ROUTES].current.default.token:
        app.add_routes(webhooks.SNAKE_HANDLERS)
    return app


def _playing(
    make_pool: Callable[[], SearcherPool],
    keep_games: Callable[[], AbstractAsyncContextManager[Games]],
    outcomes: OutcomesDatabase,
    longest_timeout: float,
) -> Callable[[web.Application], AsyncIterator[None]]:
    async def playing(app: web.Application) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            app[webhooks.TALLIES] = tallies = Tallies(asyncio.get_running_loop().time)
            app[webhooks.RECORDER] = await stack.enter_async_context(_recording(outcomes, app[METRICS]))
            app[webhooks.GAMES] = await stack.enter_async_context(keep_games())
            await stack.enter_async_context(app[METRICS].watching())
            pool = await stack.enter_async_context(make_pool())
            shadows = await stack.enter_async_context(Shadows(pool, app[METRICS], tallies.compare))
            await stack.enter_async_context(app[ROUTES].running(pool))
            app[probes.POOL] = pool
            app[webhooks.PLAYER] = Player(pool, shadows, longest_timeout)
            # What is allocated so far lives until the end; collecting it repeatedly would pause moves for
            # milliseconds.
            gc.collect()
            gc.freeze()
            yield

    return playing


@asynccontextmanager
async def _recording(outcomes: OutcomesDatabase, metrics: Metrics) -> AsyncIterator[Recorder]:
    """Yield the recorder of outcomes, which writes until the block ends."""
    if not outcomes.url:
        yield Recorder()
        return
    async with LateStore(outcomes.url) as store, Writer(store, metrics) as writer:
        yield writer


@asynccontextmanager
async def _keeping(
    app: web.Application, database: OutcomesDatabase, bounds: Bounds | None, servers: Collection[str]
) -> AsyncIterator[Games]:
    """Yield the recorder of games, which records until the block ends; give the application their readers."""
    if bounds is None:
        yield Games()
        return
    memory, metrics = Memory(bounds.games), app[METRICS]
    app[admin_games.FEED] = feed = Feed()
    async with AsyncExitStack() as stack:
        store: Shelf | None = None
        write: Callable[[Row], None] = _forget
        if database.url:
            store = games = LateGameStore(database.url, bounds)
            await stack.enter_async_context(games)
            write = (await stack.enter_async_context(writer(games, metrics))).put
        app[admin_games.LIBRARY] = library = Library(memory, store)
        app[admin_games.IMPORTER] = Importer(memory, library, write, servers)
        yield await stack.enter_async_context(GameRecorder(memory, feed, metrics, write))


def _forget(_row: Row) -> None:
    """Write nothing: without a database games are only in memory."""
