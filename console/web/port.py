"""The application of the admin port: the console's pages, its API, metrics and probes."""

import hashlib
import os
import webbrowser
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import quote

from aiohttp import hdrs, web
from aiohttp.typedefs import Middleware
from prometheus_client import CollectorRegistry
from yarl import URL

from battlesnake_search import viewer
from battlesnake_search.children.restarting import read_metrics
from battlesnake_search.common.access import TokenFile
from battlesnake_search.common.logs import get_logger
from battlesnake_search.common.metrics import exposition, joined
from battlesnake_search.ports import headers, passwords
from battlesnake_search.ports.admin_address import ADMIN_REMEDY, YIELD_PATH, AdminAddress
from battlesnake_search.ports.bounds import is_loopback
from battlesnake_search.ports.connections import whole_requests
from battlesnake_search.ports.metrics import PortMetrics
from console.web import analysis, blunders, experiments, films, frames, games
from console.web.listening import Listener
from console.web.replies import compress, error_reply, json_reply, readable_errors

log = get_logger(__name__)

PAGES = Path(__file__).parent / "pages"

REGISTRY = web.AppKey("registry", CollectorRegistry)
"""The metrics of the console."""

SOCKETS = web.AppKey("metrics sockets", tuple[Path, ...])
"""The sockets of the services whose metrics are shown beside the console's own."""

Parts = dict[web.AppKey[Any], Any]
"""The parts of the console that the handlers read, by their keys. Some may be missing."""

_HEADERS = headers.COMMON | {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}
"""The default headers of every answer."""

_REVALIDATED = "no-cache"
"""The caching of files: a browser checks each time whether they have changed."""

_TYPES = {".js": "text/javascript", ".css": "text/css"}

_KEPT = "!'()*"
"""The characters that encodeURIComponent keeps, besides those that every address keeps."""

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_SHUTDOWN = 0.1
"""Seconds at shutdown for streams of events, because they never end by themselves."""


async def healthz(_request: web.Request) -> web.Response:
    """Answer 200: the process is alive."""
    return json_reply({"status": "ok"})


async def readyz(request: web.Request) -> web.Response:
    """Answer as the /readyz of the gateways, with reasons, the code that searchers compile, and the database.

    A console with a lost database is ready, because gateways keep what it can't take.
    """
    gateways = request.app[games.GATEWAYS]
    _, readiness = gateways.together(await gateways.statuses())
    app = request.app
    database = {"database": str(app[games.WRITER].state)} if app[games.DATABASE].url else {}
    code = HTTPStatus.OK if readiness.is_ready else HTTPStatus.SERVICE_UNAVAILABLE
    return json_reply({**readiness.body, **database}, code)


async def metrics(request: web.Request) -> web.Response:
    """Answer with the metrics of the console and of the services whose sockets it knows, for Prometheus."""
    accept = request.headers.get(hdrs.ACCEPT, "")
    text, content_type = exposition(request.app[REGISTRY], accept)
    for socket in request.app[SOCKETS]:
        text = joined(text, await read_metrics(socket, accept))
    return web.Response(body=text, headers={hdrs.CONTENT_TYPE: content_type})


HANDLERS = (
    web.get("/healthz", healthz),
    web.get("/readyz", readyz),
    web.get("/metrics", metrics),
    *experiments.HANDLERS,
    *games.HANDLERS,
    *analysis.HANDLERS,
    *blunders.HANDLERS,
    *films.HANDLERS,
)


def build(
    parts: Parts,
    address: AdminAddress,
    tokens: TokenFile | None,
    counters: PortMetrics,
    folder: Path | None = None,
) -> tuple[web.Application, Listener]:
    """Build the application of the console's parts, and its listener.

    With `tokens`, only /healthz and the request of another snake for the port need no token.
    """
    listener = Listener(address, counters.count_ending, folder)
    middlewares = [readable_errors(PAGES / "missing.html"), whole_requests, *_guards(address)]
    if tokens:
        # The probes of a cluster have no token.
        free = (healthz, listener.make_room)
        asking = passwords.required(tokens, counters.count_refused_password, but=free)
        middlewares.append(asking)
    admin = web.Application(middlewares=middlewares)
    for key, part in parts.items():
        admin[key] = part
    admin.add_routes(HANDLERS)
    admin.router.add_post(YIELD_PATH, listener.make_room)
    add_games(admin, PAGES, "game.js")
    admin.add_routes(files("", PAGES))
    return admin, listener


def add_games(application: web.Application, pages: Path, script: str) -> None:
    """Add to a port what shows games: its first page and the page of a game, the viewer, and other boards.

    `pages` is the folder of the pages, and `script` the bundle of the game's page.
    """
    application.on_response_prepare.append(_revalidate_files)
    application.on_response_prepare.append(headers.adding(_HEADERS))
    if application.get(frames.BOARDS) and games.LIBRARY in application:
        application.add_routes(frames.HANDLERS)
        application.on_response_prepare.append(frames.open_to_boards)
    application.router.add_get("/", file_handler(pages / "index.html"))
    application.router.add_get("/game.html", partial(_game_page, pages / "game.html"))
    application.router.add_get("/game.js", bundle_handler(script))
    application.router.add_get("/game.css", bundle_handler("game.css"))
    application.add_routes(files("/viewer", viewer.FOLDER))


def files(prefix: str, folder: Path) -> Iterator[web.RouteDef]:
    """Yield a route for each file of a folder, so that all other addresses are unknown to the router."""
    for file in folder.rglob("*"):
        # The public port has pages of its own.
        if file.is_file() and file.parent != folder / "public":
            yield web.get(f"{prefix}/{file.relative_to(folder).as_posix()}", file_handler(file))


def file_handler(file: Path) -> partial[Coroutine[Any, Any, web.FileResponse]]:
    """Return a handler that answers with a file."""
    return partial(_file, file)


async def _file(file: Path, _request: web.Request) -> web.FileResponse:
    return web.FileResponse(file)


def bundle_handler(name: str) -> _Handler:
    """Return a handler that answers with a module or a style sheet of the pages and all that it imports.

    A browser would otherwise wait for one answer after another, as each file names the next ones.
    """
    file = PAGES / name
    text = viewer.bundle(file)
    version = hashlib.sha256(text.encode()).hexdigest()[:16]

    async def answer(request: web.Request) -> web.StreamResponse:
        if any(each.value == version for each in request.if_none_match or ()):
            response = web.Response(status=304)
        else:
            response = compress(request, web.Response(text=text, content_type=_TYPES[file.suffix]))
        response.etag = version
        return response

    return answer


@asynccontextmanager
async def serving(
    built: web.Application,
    listener: Listener,
    address: AdminAddress,
    name: str = "console",
    remedy: str = ADMIN_REMEDY,
) -> AsyncIterator[None]:
    """Serve a port until the block ends. If a chosen port is in use, log the error and go on."""
    runner = web.AppRunner(built, access_log=None, shutdown_timeout=_SHUTDOWN)
    await runner.setup()
    try:
        try:
            await listener.start(runner)
        except OSError as error:
            where = f"{address.host}, port {address.port}"
            # The text of asyncio's own errors repeats the address. Numbers below 0 belong to name resolution.
            number = error.errno or 0
            reason = os.strerror(number).lower() if number > 0 else error.strerror
            log.warning(f"the {name} is not served", address=where, reason=reason, remedy=remedy)
        else:
            log.info(f"the {name} is at {listener.url()}")
            if address.opens and not listener.has_returned:
                # A browser on the terminal returns only when its user leaves it.
                Thread(target=webbrowser.open, args=(listener.url(),), daemon=True).start()
        yield
    finally:
        await runner.cleanup()


async def _game_page(file: Path, request: web.Request) -> web.FileResponse:
    """Answer with the page of a game, and let the browser request the game before it has read the page."""
    response = web.FileResponse(file)
    if name := request.query.get("game"):
        path = f"/api/games/{quote(name, safe=_KEPT)}"
        response.headers[hdrs.LINK] = f"<{path}>; rel=preload; as=fetch; crossorigin=anonymous"
    return response


async def _revalidate_files(_request: web.Request, response: web.StreamResponse) -> None:
    """Let browsers check files again before each use."""
    if isinstance(response, web.FileResponse) or hdrs.ETAG in response.headers:
        response.headers[hdrs.CACHE_CONTROL] = _REVALIDATED


def _guards(address: AdminAddress) -> tuple[Middleware, ...]:
    """Return the middlewares that protect the port at this address."""
    return (_loopback_names_only, _own_pages_only) if address.is_loopback else (_own_pages_only,)


@web.middleware
async def _loopback_names_only(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Refuse requests for other names on a loopback address.

    Otherwise another site could point its own host name at the loopback address, and a browser would let its
    page read the answers.
    """
    if not is_loopback(request.url.host or ""):
        return error_reply(421, f"this port serves localhost, not {request.host}")
    return await handler(request)


@web.middleware
async def _own_pages_only(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Refuse the posts of other sites' pages: forms, and the JSON of scripts."""
    if request.method == "POST":
        if request.content_type != "application/json":
            return error_reply(415, "the body must be JSON, with Content-Type: application/json")
        origin = request.headers.get("Origin")
        if origin is not None and URL(origin).authority != request.host:
            return error_reply(403, f"pages of {origin} may not ask")
    return await handler(request)
