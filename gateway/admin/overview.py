"""GET /api/overview: the snakes, their searchers and experiments, and how many games there are."""

import asyncio
from collections.abc import Iterator
from typing import Any

from aiohttp import web
from yarl import URL

from gateway.admin.address import AdminAddress
from gateway.admin.games import IMPORTER, LIBRARY
from gateway.admin.replies import json_reply
from gateway.metrics import METRICS
from gateway.readiness import POOL
from gateway.routes.config import Routes, SnakeRoute
from gateway.routes.reload import ROUTES

ADDRESS = web.AppKey("address", AdminAddress)

Json = dict[str, Any]


async def overview(request: web.Request) -> web.Response:
    """Answer with what the gateway serves, and with whom."""
    routes = request.app[ROUTES].current
    searchers, counts = await asyncio.gather(_searchers(request.app), _counts(request.app))
    body = {
        "snakes": [_snake(request, snake) for snake in routes.snakes],
        "searchers": searchers,
        "experiments": list(_experiments(routes)),
        "counts": counts,
        "replay_servers": request.app[IMPORTER].servers if IMPORTER in request.app else (),
    }
    return json_reply(body)


HANDLERS = (web.get("/api/overview", overview),)


async def _searchers(app: web.Application) -> list[Json]:
    troubles = await app[POOL].troubles()
    return [
        {"address": address, "serving": not trouble, "trouble": trouble}
        for address, trouble in troubles.items()
    ]


async def _counts(app: web.Application) -> Json:
    counts = {"lost_records": app[METRICS].records.lost, "probes": app[METRICS].games.probes}
    if library := app.get(LIBRARY):
        counts |= {"games_now": library.live, "games_kept": await library.count()}
    return counts


def _snake(request: web.Request, snake: SnakeRoute) -> Json:
    looks = {field: getattr(snake, field) for field in ("path", "name", "color", "head", "tail")}
    strategies = dict.fromkeys(arm.strategy or "" for arm in snake.arms)
    return looks | {"strategy": ", ".join(strategies)} | _url(request, snake)


def _url(request: web.Request, snake: SnakeRoute) -> Json:
    """Return the snake's address on the host by which the console is known.

    Empty if its port is not known, or if a token belongs to the address: the console does not show it.
    """
    port = request.app[ADDRESS].public_port
    if not port or not request.url.host or snake.token:
        return {}
    return {"url": str(URL.build(scheme="http", host=request.url.host, port=port, path=snake.path))}


def _experiments(routes: Routes) -> Iterator[Json]:
    """Yield the draws that have several arms. Snakes with the same experiment share its arms."""
    seen = set()
    for snake in routes.snakes:
        if len(snake.arms) > 1 and snake.draw not in seen:
            seen.add(snake.draw)
            shares = snake.shares
            arms = [
                {"name": arm.name, "strategy": arm.strategy or "", "share": shares.get(arm.name, 0.0)}
                for arm in snake.arms
            ]
            yield {"name": snake.draw, "arms": arms}
