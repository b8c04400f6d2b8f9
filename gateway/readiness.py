"""The paths for operators: /healthz, /readyz and /metrics."""

import asyncio

import msgspec
from aiohttp import hdrs, web

from battlesnake_search.children.restarting import read_metrics
from battlesnake_search.common.metrics import joined
from battlesnake_search.record.status import ReadinessStatus
from gateway.metrics import METRICS
from gateway.recent import RecentArms
from gateway.routes.config import Routes
from gateway.routes.reload import RoutesInForce
from gateway.routes.strategy_check import (
    Inspection,
    inspect_all,
    reflex_snakes,
    targets_of,
    unsearched_arms,
)
from gateway.searchers.pool import SearcherPool

POOL = web.AppKey("pool", SearcherPool)

_SHARED_FOR = 1.0
"""Seconds for which all clients get the same answer."""


class Readiness:
    """The state of the searchers. All calls within a second share one answer, and so do concurrent calls."""

    def __init__(self, pool: SearcherPool, routes: RoutesInForce, arms: RecentArms) -> None:
        self._pool = pool
        self._routes = routes
        self._arms = arms
        self._asking: tuple[Routes, asyncio.Task[ReadinessStatus]] | None = None
        self._holds_until = 0.0

    async def read(self) -> ReadinessStatus:
        """Return the state of the last second."""
        now = asyncio.get_running_loop().time
        routes, asking = self._routes.current, self._asking
        if asking is None or asking[0] is not routes or (asking[1].done() and now() >= self._holds_until):
            self._asking = asking = routes, asyncio.create_task(self._ask(routes))
        # A caller that disconnects must not end the work for other callers.
        return await asyncio.shield(asking[1])

    async def _ask(self, routes: Routes) -> ReadinessStatus:
        """Call the searchers of the routes."""
        pool = self._pool
        addresses = {target: pool[target].target for target in targets_of(routes)}
        troubles, inspections = await asyncio.gather(pool.troubles(), inspect_all(pool, routes, patience=0))
        refusals = {
            addresses[one.target]: f"{one.searcher} refuses the gateway's token: {one.trouble}"
            for one in inspections
            if one.refuses_token
        }
        # A searcher that refuses our token may still report its health, because that needs no token.
        silent = {
            target: reason for target, address in addresses.items() if (reason := troubles.get(address))
        }
        unsearched = unsearched_arms(routes, inspections, silent) + self._arms.unsearched(routes)
        by_searcher = (troubles | refusals).values()
        trouble = [] if "" in by_searcher else list(by_searcher)
        faults = [str(fault) for one in inspections for fault in (*one.faults, *one.on_trial)]
        lines = list(dict.fromkeys([*refusals.values(), *faults]))
        self._holds_until = asyncio.get_running_loop().time() + _SHARED_FOR
        compiling = [line for one in inspections if (line := _compilation(one, is_serving=not trouble))]
        if trouble or unsearched or reflex_snakes(routes, inspections):
            reason = "; ".join(dict.fromkeys([*trouble, *unsearched, *lines]))
            return ReadinessStatus(False, reason, compiling=compiling)
        return ReadinessStatus(True, warnings=lines, compiling=compiling)


def _compilation(inspection: Inspection, is_serving: bool) -> str:
    """Return a sentence about the code that a searcher compiles; empty if it compiles nothing."""
    if inspection.listed is None or not inspection.listed.HasField("compilation"):
        return ""
    now = inspection.listed.compilation
    meanwhile = "moves are searched meanwhile" if is_serving else "moves are reflexes until it serves"
    done = f"{now.done} of {now.total} functions in {now.elapsed.seconds} s"
    return f"{inspection.searcher} compiles code: {done}, {meanwhile} ({now.step})"


READINESS = web.AppKey("readiness", Readiness)


async def healthz(_request: web.Request) -> web.Response:
    """Answer 200: the process is alive."""
    return _status("ok")


async def readyz(request: web.Request) -> web.Response:
    """Answer 200 if a searcher is serving and no snake and no compared arm plays mostly reflexes, else 503.

    Moves get answers in both cases.
    """
    readiness = await request.app[READINESS].read()
    return _status(str(readiness.body["status"]), 200 if readiness.is_ready else 503)


async def metrics(request: web.Request) -> web.Response:
    """Answer with the metrics of the gateway and of an embedded searcher, for Prometheus."""
    return await metrics_of(request.app, request)


async def metrics_of(app: web.Application, request: web.Request) -> web.Response:
    """Answer with the metrics of the gateway `app` and of its embedded searcher."""
    accept = request.headers.get(hdrs.ACCEPT, "")
    text, content_type = app[METRICS].text(accept)
    if socket := app[POOL].embedded_metrics:
        text = joined(text, await read_metrics(socket, accept))
    return web.Response(body=text, headers={hdrs.CONTENT_TYPE: content_type})


HANDLERS = (web.get("/healthz", healthz), web.get("/readyz", readyz))
"""The probes of orchestrators, on the public port."""

METRICS_HANDLERS = (web.get("/metrics", metrics),)


def _status(text: str, status: int = 200) -> web.Response:
    body = msgspec.json.encode({"status": text})
    return web.Response(body=body, status=status, content_type="application/json")
