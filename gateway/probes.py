"""The paths for operators: /healthz, /readyz and /metrics."""

import msgspec
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST

from gateway.metrics import METRICS
from gateway.searchers.pool import SearcherPool

POOL = web.AppKey("pool", SearcherPool)


async def healthz(_request: web.Request) -> web.Response:
    """Answer 200: the process is alive."""
    return _status({"status": "ok"})


async def readyz(request: web.Request) -> web.Response:
    """Answer 200 if a searcher is serving, else 503 with the reason. Moves are answered in both cases."""
    reason = await request.app[POOL].trouble()
    if reason:
        return _status({"status": "not ready", "reason": reason}, 503)
    return _status({"status": "ready"})


async def metrics(request: web.Request) -> web.Response:
    """Answer with the metrics, for Prometheus."""
    return web.Response(body=request.app[METRICS].text(), headers={"Content-Type": CONTENT_TYPE_LATEST})


HANDLERS = (web.get("/healthz", healthz), web.get("/readyz", readyz), web.get("/metrics", metrics))


def _status(body: dict[str, str], status: int = 200) -> web.Response:
    return web.Response(body=msgspec.json.encode(body), status=status, content_type="application/json")
