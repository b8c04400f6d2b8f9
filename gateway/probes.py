"""The paths for operators: /healthz, /readyz and /metrics."""

import asyncio
from collections.abc import Mapping

import msgspec
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST

from gateway.metrics import METRICS
from gateway.routes.reload import ROUTES
from gateway.routes.strategy_check import inspect_all, reflex_snakes
from gateway.searchers.pool import SearcherPool

POOL = web.AppKey("pool", SearcherPool)


async def healthz(_request: web.Request) -> web.Response:
    """Answer 200: the process is alive."""
    return _status({"status": "ok"})


async def readyz(request: web.Request) -> web.Response:
    """Answer 200 if a searcher is serving and can play for each snake, else 503 with the reason.

    Arms with a strategy that their searcher does not list are named in either case, and moves are answered.
    """
    pool, routes = request.app[POOL], request.app[ROUTES].current
    trouble, inspections = await asyncio.gather(pool.trouble(), inspect_all(pool, routes, patience=0))
    faults = [fault for inspection in inspections for fault in inspection.faults]
    lines = [str(fault) for fault in faults]
    if trouble or reflex_snakes(routes, faults):
        return _status({"status": "not ready", "reason": "; ".join(filter(None, [trouble, *lines]))}, 503)
    return _status({"status": "ready"} | ({"warnings": lines} if lines else {}))


async def metrics(request: web.Request) -> web.Response:
    """Answer with the metrics, for Prometheus."""
    return web.Response(body=request.app[METRICS].text(), headers={"Content-Type": CONTENT_TYPE_LATEST})


HANDLERS = (web.get("/healthz", healthz), web.get("/readyz", readyz))

METRICS_HANDLERS = (web.get("/metrics", metrics),)


def _status(body: Mapping[str, str | list[str]], status: int = 200) -> web.Response:
    return web.Response(body=msgspec.json.encode(body), status=status, content_type="application/json")
