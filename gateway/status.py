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
from gateway.readiness import POOL, READINESS, read_all
from gateway.recent import RECENT
from gateway.routes.config import Routes, SnakeRoute
from gateway.routes.reload import ROUTES


class Reporter:
    """Tells the state of the gateway whose application is `app`, with its public port."""

    def __init__(self, app: web.Application, port: int) -> None:
        self._app = app
        self._port = port

    async def status(self) -> Status:
        """Return the present state. It calls the searchers."""
        app = self._app
        routes, recent = app[ROUTES].current, app[RECENT]
        searchers, (readiness, code) = await asyncio.gather(self._searchers(), app[READINESS].read())
        return Status(
            is_ready=code == web.HTTPOk.status_code,
            readiness=readiness,
            snakes=[_snake(snake) for snake in routes.snakes],
            searchers=searchers,
            experiments=list(_experiments(routes)),
            moves=self._moves(),
            started_at=recent.started_at,
            probes=app[METRICS].games.probes,
            port=self._port,
        )

    async def metrics(self, accept: str) -> tuple[bytes, str]:
        """Return all metrics in the format that a reader accepts, and their content type."""
        return await read_all(self._app, accept)

    async def _searchers(self) -> list[SearcherStatus]:
        pool = self._app[POOL]
        return [
            SearcherStatus(address, trouble, pool.version if pool.is_own(address) else "")
            for address, trouble in (await pool.troubles()).items()
        ]

    def _moves(self) -> MovesStatus:
        figures = self._app[RECENT].figures()
        if not self._app[POOL].embedded_metrics:
            figures["searcher_restarts"] = None
        return MovesStatus(**figures)


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
