"""Builds the aiohttp application, which owns the channels to the searchers and the embedded one."""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from aiohttp import web

from gateway import probes, webhooks
from gateway.experiments import page
from gateway.metrics import METRICS, Metrics
from gateway.moves.player import Player
from gateway.moves.shadows import Shadows
from gateway.outcomes.tally import Tallies
from gateway.outcomes.target import NO_TARGET, Target
from gateway.outcomes.writer import Recorder, Writer
from gateway.routes.reload import ROUTING, Routing
from gateway.searchers.embedded import SEARCHER_COMMAND
from gateway.searchers.pool import Searchers


def build(
    target: str,
    strategy: str,
    command: Sequence[str] = SEARCHER_COMMAND,
    routes_file: Path | None = None,
    outcomes: Target = NO_TARGET,
) -> web.Application:
    """The gateway, with the snakes of a routes file; without one a single snake.

    `target` is where routes that name no searcher ask. Empty: it keeps a searcher running itself, by this
    command. `strategy`, search/evaluator, is played at / unless the file says otherwise; empty: the
    searcher's default. `outcomes` is the database for them. Raises OSError, or TomlError, for a routes file
    that can't be read.
    """
    app = web.Application()
    app[METRICS] = Metrics()
    app[ROUTING] = Routing(routes_file, strategy)
    app[page.OUTCOMES], app[page.READING] = outcomes, asyncio.Lock()
    app.cleanup_ctx.append(_playing(target, command, outcomes))
    app.add_routes([*webhooks.ROUTES, *probes.ROUTES, *page.ROUTES])
    if routes_file:
        app.add_routes(webhooks.SNAKE_ROUTES)
    return app


def _playing(
    target: str, command: Sequence[str], outcomes: Target
) -> Callable[[web.Application], AsyncIterator[None]]:
    async def playing(app: web.Application) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            app[webhooks.TALLIES] = tallies = Tallies(asyncio.get_running_loop().time)
            app[webhooks.RECORDER] = await stack.enter_async_context(_recording(outcomes, app[METRICS]))
            searchers = await stack.enter_async_context(Searchers(target, command))
            shadows = await stack.enter_async_context(Shadows(searchers, app[METRICS], tallies.compare))
            await stack.enter_async_context(app[ROUTING].running(searchers))
            app[probes.SEARCHERS] = searchers
            app[webhooks.PLAYER] = Player(searchers, shadows)
            # What is here now stays: collecting it again and again would pause moves for milliseconds.
            gc.collect()
            gc.freeze()
            yield

    return playing


@asynccontextmanager
async def _recording(outcomes: Target, metrics: Metrics) -> AsyncIterator[Recorder]:
    """Gives what takes outcomes, until the block ends."""
    if not outcomes.url:
        yield Recorder()
        return
    # Only the extra `outcomes` installs what it needs.
    from gateway.outcomes.store import Store

    async with Store(outcomes.url) as store, Writer(store, metrics) as writer:
        yield writer
