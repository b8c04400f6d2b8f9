"""The paths for operators on the admin port: /healthz, /readyz and /metrics."""

from aiohttp import hdrs, web

from console.web.games import DATABASE, GATEWAY
from console.web.replies import json_reply


async def healthz(_request: web.Request) -> web.Response:
    """Answer 200: the process is alive."""
    return json_reply({"status": "ok"})


async def readyz(request: web.Request) -> web.Response:
    """Answer as the gateway's /readyz, with its reasons, the code that searchers compile, and the database.

    A gateway with a lost database is ready, because outcomes wait.
    """
    readiness, code = await request.app[GATEWAY].readiness()
    database = {"database": str(request.app[DATABASE])} if DATABASE in request.app else {}
    return json_reply({**readiness, **database}, code)


async def metrics(request: web.Request) -> web.Response:
    """Answer with the metrics of the gateway, for Prometheus."""
    accept = request.headers.get(hdrs.ACCEPT, "")
    text, content_type = await request.app[GATEWAY].metrics(accept)
    return web.Response(body=text, headers={hdrs.CONTENT_TYPE: content_type})


HANDLERS = (web.get("/healthz", healthz), web.get("/readyz", readyz), web.get("/metrics", metrics))
