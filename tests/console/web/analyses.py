"""The API of analyses in front of a searcher of this process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

from console.searchers import Searchers
from console.web import analysis
from console.web.port import PAGES
from console.web.replies import readable_errors
from searcher.interface import StrategyProvider
from searcher.serving.server import Server

Json = dict[str, Any]


def add_analyses(app: web.Application, strategies: StrategyProvider) -> None:
    """Add the API to an application, with a searcher of these strategies that runs as long as it does."""
    app[analysis.SLOTS] = asyncio.Semaphore(analysis.MOST)
    app.cleanup_ctx.append(lambda app: _searching(app, strategies))
    app.add_routes(analysis.HANDLERS)
    app.middlewares.append(readable_errors(PAGES / "missing.html"))


async def _searching(app: web.Application, strategies: StrategyProvider) -> AsyncIterator[None]:
    async with searcher(strategies) as target, Searchers([target]) as searchers:
        app[analysis.SEARCHERS] = searchers
        yield


@asynccontextmanager
async def searcher(strategies: StrategyProvider) -> AsyncIterator[str]:
    """Serve strategies; yield the address."""
    server = Server("127.0.0.1:0", 2, strategies)
    address = await server.start()
    await server.warm()
    yield address
    await server.stop(grace=0.0)
