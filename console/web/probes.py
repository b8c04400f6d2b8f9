"""The paths for operators on the admin port: /healthz, /readyz and /metrics."""

from http import HTTPStatus
from pathlib import Path

from aiohttp import hdrs, web

from battlesnake_search.children.restarting import read_metrics
from battlesnake_search.common.metrics import exposition, joined
from console.gateway import together
from console.web.games import DATABASE, GATEWAYS, METRICS
from console.web.replies import json_reply

SOCKETS = web.AppKey("metrics sockets", tuple[Path, ...])


async def healthz(_request: web.Request) -> web.Response:
    """Answer 200: the process is alive."""
    return json_reply({"status": "ok"})


async def readyz(request: web.Request) -> web.Response:
    """Answer as the /readyz of the gateways, with reasons, the code that searchers compile, and the database.

    A console with a lost database is ready, because gateways keep what it can't take.
    """
    gateways = request.app[GATEWAYS]
    known = await gateways.statuses()
    status = together(known) if known else None
    database = {"database": str(request.app[DATABASE])} if DATABASE in request.app else {}
    readiness = status.readiness if status else {"status": "not ready", "reason": gateways.unknown}
    code = HTTPStatus.OK if status and status.is_ready else HTTPStatus.SERVICE_UNAVAILABLE
    return json_reply({**readiness, **database}, code)


async def metrics(request: web.Request) -> web.Response:
    """Answer with the metrics of the console and of the services whose sockets it knows, for Prometheus."""
    accept = request.headers.get(hdrs.ACCEPT, "")
    text, content_type = exposition(request.app[METRICS].registry, accept)
    for socket in request.app[SOCKETS]:
        text = joined(text, await read_metrics(socket, accept))
    return web.Response(body=text, headers={hdrs.CONTENT_TYPE: content_type})


HANDLERS = (web.get("/healthz", healthz), web.get("/readyz", readyz), web.get("/metrics", metrics))
