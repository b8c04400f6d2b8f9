"""The aiohttp application; while it runs it owns the pool of searchers and the recorder of outcomes."""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from aiohttp import web

from gateway import probes, webhooks
from gateway.admin import arena as admin_arena
from gateway.experiments import page
from gateway.metrics import METRICS, Metrics
from gateway.moves.move_log import MoveLog
from gateway.moves.player import Player
from gateway.moves.shadows import Shadows
from gateway.outcomes.database import NO_DATABASE, OutcomesDatabase
from gateway.outcomes.tally import Tallies
from gateway.outcomes.writer import Recorder, Writer
from gateway.routes.config import DEFAULT_PATH
from gateway.routes.looks import Looks
from gateway.routes.reload import ROUTES, RoutesInForce
from gateway.searchers.embedded import SEARCHER_COMMAND
from gateway.searchers.pool import SearcherPool

HANDLERS = (*webhooks.HANDLERS, *probes.HANDLERS, *page.HANDLERS)
"""The handlers of the gateway's own paths and of the snake at /."""

RESERVED_PATHS = frozenset(handler.path for handler in HANDLERS) - {DEFAULT_PATH}
"""The paths that no snake of a routes file may have."""


def build(
    target: str,
    strategy: str,
    command: Sequence[str] = SEARCHER_COMMAND,
    routes_file: Path | None = None,
    outcomes: OutcomesDatabase = NO_DATABASE,
    looks: Looks | None = None,
    arena: Path | None = None,
) -> web.Application:
    """Build the gateway with the snakes of a routes file; without one, with a single snake.

    `target` is the gRPC target for routes that name no searcher; empty: an embedded searcher, started by
    `command`. `strategy`, as search/evaluator, is played at / unless the file has a snake there; empty: the
    searcher's default. `looks` is the appearance of that snake. `outcomes` is the database for outcomes,
    `arena` the folder of matches that the console shows.
    Raises OSError if the routes file can't be read, and TomlError if it is invalid.
    """
    app = web.Application()
    app[METRICS] = Metrics()
    app[webhooks.MOVE_LOG] = MoveLog()
    app[ROUTES] = RoutesInForce(routes_file, strategy, RESERVED_PATHS, looks)
    app[page.DATABASE], app[page.REPORTING] = outcomes, asyncio.Lock()
    app.cleanup_ctx.append(_playing(target, command, outcomes))
    if arena:
        app[admin_arena.FOLDER] = arena
    app.add_routes(HANDLERS)
    if routes_file:
        app.add_routes(webhooks.SNAKE_HANDLERS)
    return app


def _playing(
    target: str, command: Sequence[str], outcomes: OutcomesDatabase
) -> Callable[[web.Application], AsyncIterator[None]]:
    async def playing(app: web.Application) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            app[webhooks.TALLIES] = tallies = Tallies(asyncio.get_running_loop().time)
            app[webhooks.RECORDER] = await stack.enter_async_context(_recording(outcomes, app[METRICS]))
            pool = await stack.enter_async_context(SearcherPool(target, command))
            shadows = await stack.enter_async_context(Shadows(pool, app[METRICS], tallies.compare))
            await stack.enter_async_context(app[ROUTES].running(pool))
            app[probes.POOL] = pool
            app[webhooks.PLAYER] = Player(pool, shadows)
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
    # This needs packages that only the extra `outcomes` installs.
    from gateway.outcomes.store import Store

    async with Store(outcomes.url) as store, Writer(store, metrics) as writer:
        yield writer
