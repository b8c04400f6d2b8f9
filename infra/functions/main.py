"""The snake as a cloud function: the gateway, with its own searcher or the searchers of SEARCHER_TARGET.

The functions framework calls the function, and the function forwards each request to the gateway. The gateway
starts with the first request, in the same process, and serves a Unix socket. The console of CONSOLE_TARGET
records its games: it has them when the answer to an /end leaves, because a cloud may stop the process between
requests.
"""

import asyncio
from dataclasses import replace

import functions_framework.aio
from aiohttp import ClientSession, UnixConnector, web
from multidict import CIMultiDict
from starlette.requests import Request
from starlette.responses import Response

from battlesnake_search.common import logs
from battlesnake_search.common.logs import get_logger
from battlesnake_search.common.sockets import SocketFolder

# Logging must be configured before gRPC is imported.
logs.configure("json")
from gateway import app  # noqa: E402
from gateway.commands.options import settings_from_environment  # noqa: E402
from gateway.settings import NO_CONSOLE  # noqa: E402

_OF_CONNECTION = frozenset(
    {
        *(
            "connection",
            "content-length",
            "expect",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
        ),
        *("proxy-connection", "trailer", "transfer-encoding", "upgrade"),
    }
)
"""The request headers that are about the caller's connection, and not about the request."""

_ADDED = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")
"""The headers that the client for the gateway would add if the caller sends none."""

_OWN = frozenset({"connection", "content-length", "date", "server"})
"""The answer's headers that the framework sets itself."""

_SETTINGS = settings_from_environment()

_STORING = 2.0
"""The most seconds that the answer to an /end waits for the console, unless CONSOLE_WAIT names others."""

log = get_logger(__name__)

_starting: asyncio.Task[ClientSession] | None = None
_folder: SocketFolder | None = None
"""The folder of the gateway's socket, which lasts as long as the process."""


@functions_framework.aio.http
async def snake(request: Request) -> Response:
    """Answer a request of the Battlesnake API or any other request that the gateway handles."""
    global _starting
    if _starting is None:
        _starting = asyncio.create_task(_start())
    starting = _starting
    try:
        client = await asyncio.shield(starting)
    except Exception:
        # Forget the failed start, so that the next request tries again. Of the requests that waited for it,
        # only the first logs the cause.
        if _starting is starting:
            _starting = None
            log.exception("the gateway did not start")
        return Response("the gateway did not start\n", 503)
    path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    lines = [(name.decode(), value.decode(errors="replace")) for name, value in request.headers.raw]
    headers = CIMultiDict((name, value) for name, value in lines if name not in _OF_CONNECTION)
    async with client.request(request.method, path, data=await request.body(), headers=headers) as answer:
        passed_on = {name: text for name, text in answer.headers.items() if name.lower() not in _OWN}
        return Response(await answer.read(), answer.status, passed_on)


async def _start() -> ClientSession:
    """Start the gateway as its command does, but on a Unix socket; return a client for it."""
    global _folder
    # Instances come and go, so none has a console of its own.
    console = _SETTINGS.console or NO_CONSOLE
    if console == NO_CONSOLE:
        log.info("games are not recorded", reason="CONSOLE_TARGET names no console")
    wait = _SETTINGS.console_wait or _STORING
    application = app.build(replace(_SETTINGS, console=console, console_wait=wait))
    runner = web.AppRunner(application, access_log=None)
    try:
        await runner.setup()
        # Create the socket here and not at import, because the framework may fork in between.
        _folder = SocketFolder()
        socket = str(_folder.path / "gateway.sock")
        await web.UnixSite(runner, socket).start()
    except BaseException:
        # Otherwise its searcher would run beside the searcher of the next start.
        await runner.cleanup()
        raise
    return ClientSession(
        "http://gateway",
        connector=UnixConnector(socket, limit=0),
        skip_auto_headers=_ADDED,
        auto_decompress=False,
    )
