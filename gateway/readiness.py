"""The paths for operators: /healthz, /readyz and /metrics."""

import asyncio
from collections.abc import Mapping

import msgspec
from aiohttp import hdrs, web

from gateway.metrics.metrics import METRICS
from gateway.routes.reload import ROUTES
from gateway.routes.strategy_check import inspect_all, reflex_snakes
from gateway.searchers.embedded_metrics import read_metrics
from gateway.searchers.pool import SearcherPool
from gateway.store.writer import DatabaseState
from telemetry.exposition import joined

POOL = web.AppKey("pool", SearcherPool)

DATABASE = web.AppKey("database state", DatabaseState)
"""The state of the database; missing if the gateway records nothing."""

Json = Mapping[str, str | list[str]]


async def healthz(_request: web.Request) -> web.Response:
    """Answer 200: the process is alive."""
    return _status({"status": "ok"})


async def readyz(request: web.Request) -> web.Response:
    """Answer 200 if a searcher is serving and can play for each snake, else 503; moves are answered."""
    body, status = await readiness(request.app)
    return _status({"status": body["status"]}, status)


async def readyz_with_details(request: web.Request) -> web.Response:
    """Answer as `readyz`, with the reason, and with the arms whose strategy their searcher does not list.

    The answer also has the state of the database. A gateway with a lost database is ready: outcomes wait.
    """
    body, status = await readiness(request.app)
    database = request.app.get(DATABASE)
    return _status({**body, "database": str(database)} if database else body, status)


async def readiness(app: web.Application) -> tuple[Json, int]:
    """Return what is known of the searchers, and the status of the answer."""
    pool, routes = app[POOL], app[ROUTES].current
    trouble, inspections = await asyncio.gather(pool.trouble(), inspect_all(pool, routes, patience=0))
    faults = [fault for inspection in inspections for fault in inspection.faults]
    lines = [str(fault) for fault in faults]
    if trouble or reflex_snakes(routes, faults):
        return {"status": "not ready", "reason": "; ".join(filter(None, [trouble, *lines]))}, 503
    return {"status": "ready"} | ({"warnings": lines} if lines else {}), 200


async def metrics(request: web.Request) -> web.Response:
    """Answer with the metrics, for Prometheus, and with those of the embedded searcher, if there is one."""
    accept = request.headers.get(hdrs.ACCEPT, "")
    text, content_type = request.app[METRICS].text(accept)
    if socket := request.app[POOL].embedded_metrics:
        text = joined(text, await read_metrics(socket, accept))
    return web.Response(body=text, headers={hdrs.CONTENT_TYPE: content_type})


HANDLERS = (web.get("/healthz", healthz), web.get("/readyz", readyz))
"""The probes of orchestrators, which anybody may call."""

ADMIN_HANDLERS = (web.get("/healthz", healthz), web.get("/readyz", readyz_with_details))

METRICS_HANDLERS = (web.get("/metrics", metrics),)


def _status(body: Json, status: int = 200) -> web.Response:
    return web.Response(body=msgspec.json.encode(body), status=status, content_type="application/json")
