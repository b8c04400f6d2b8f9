"""The state of this gateway, for the console's page Home."""

import asyncio
from collections.abc import Iterator

from aiohttp import web

from battlesnake_search.record.status import (
    ArmStatus,
    ExperimentStatus,
    MovesStatus,
    SearcherStatus,
    SnakeStatus,
    Status,
)
from gateway.metrics import METRICS
from gateway.readiness import POOL, READINESS
from gateway.recent import RECENT
from gateway.routes.config import Routes, SnakeRoute
from gateway.routes.reload import ROUTES
from gateway.searchers.pool import SearcherPool


async def status_of(app: web.Application, port: int) -> Status:
    """Return the present state of the gateway `app`; `port` is its public port. Calls the searchers."""
    routes, recent = app[ROUTES].current, app[RECENT]
    searchers, readiness = await asyncio.gather(_searchers(app[POOL]), app[READINESS].read())
    figures = recent.figures()
    if not app[POOL].embedded_metrics:
        figures["searcher_restarts"] = None
    return Status(
        readiness=readiness,
        snakes=[_snake(snake) for snake in routes.snakes],
        searchers=searchers,
        experiments=list(_experiments(routes)),
        moves=MovesStatus(**figures),
        started_at=recent.started_at,
        probes=app[METRICS].games.probes,
        port=port,
    )


async def _searchers(pool: SearcherPool) -> list[SearcherStatus]:
    return [
        SearcherStatus(address, trouble, pool.version if pool.is_own(address) else "")
        for address, trouble in (await pool.troubles()).items()
    ]


def _snake(snake: SnakeRoute) -> SnakeStatus:
    strategies = list(dict.fromkeys(arm.strategy or "" for arm in snake.arms))
    looks = snake.path, snake.name, snake.color, snake.head, snake.tail
    return SnakeStatus(*looks, strategies, bool(snake.token))


def _experiments(routes: Routes) -> Iterator[ExperimentStatus]:
    """Yield the draws with several arms. Snakes of the same experiment share its arms."""
    seen = set()
    for snake in routes.snakes:
        if len(snake.arms) > 1 and snake.experiment_name not in seen:
            seen.add(snake.experiment_name)
            shares = snake.shares
            arms = [ArmStatus(arm.name, arm.strategy or "", shares.get(arm.name, 0.0)) for arm in snake.arms]
            yield ExperimentStatus(snake.experiment_name, arms)
