"""Builds the aiohttp application, which owns the channel to the searchers and the embedded one."""

import gc
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack

from aiohttp import web

from gateway import probes, webhooks
from gateway.client import Searcher
from gateway.embedded import SEARCHER_COMMAND, embedded
from gateway.metrics import METRICS, Metrics
from gateway.player import Player


def build(
    target: str,
    strategy: str,
    command: Sequence[str] = SEARCHER_COMMAND,
) -> web.Application:
    """The gateway, playing one strategy: search/evaluator, or empty for the searcher's default.

    `target` is the searchers' gRPC target. Empty: it keeps a searcher running itself, by this command.
    """
    app = web.Application()
    app[METRICS] = Metrics()
    app.cleanup_ctx.append(_playing(target, strategy, command))
    app.add_routes([*webhooks.ROUTES, *probes.ROUTES])
    return app


def _playing(
    target: str, strategy: str, command: Sequence[str]
) -> Callable[[web.Application], AsyncIterator[None]]:
    async def playing(app: web.Application) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            address = target or await stack.enter_async_context(embedded(command))
            searcher = await stack.enter_async_context(Searcher(address))
            app[probes.SEARCHER] = searcher
            app[webhooks.PLAYER] = Player(searcher, strategy)
            # What is here now stays: collecting it again and again would pause moves for milliseconds.
            gc.collect()
            gc.freeze()
            yield

    return playing
