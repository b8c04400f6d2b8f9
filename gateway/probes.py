"""What those who run the gateway ask it: does it live, is it ready, what has it counted."""

import msgspec
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST

from gateway.metrics import METRICS
from gateway.searchers.pool import Searchers

SEARCHERS = web.AppKey("searchers", Searchers)


async def healthz(_request: web.Request) -> web.Response:
    """The process lives."""
    return _status({"status": "ok"})


async def readyz(request: web.Request) -> web.Response:
    """A searcher is serving: 200; else 503 with the reason. Moves are answered either way."""
    reason = await request.app[SEARCHERS].trouble()
    if reason:
        return _status({"status": "not ready", "reason": reason}, 503)
    return _status({"status": "ready"})


async def metrics(request: web.Request) -> web.Response:
    """The counters, for Prometheus."""
    return web.Response(body=request.app[METRICS].text(), headers={"Content-Type": CONTENT_TYPE_LATEST})


ROUTES = (web.get("/healthz", healthz), web.get("/readyz", readyz), web.get("/metrics", metrics))


def _status(body: dict[str, str], status: int = 200) -> web.Response:
    return web.Response(body=msgspec.json.encode(body), status=status, content_type="application/json")
