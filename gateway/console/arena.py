"""The arena's matches and reports: the paths of `python -m arena serve`, a separate process.

The arena's statistics and replays would take memory and time in the gateway.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path

import aiohttp
from aiohttp import hdrs, web
from yarl import URL

from battlesnake_search.common.launch import pip_install
from battlesnake_search.common.sockets import path_of
from gateway.console.replies import error_reply
from gateway.searchers.embedded import embedded
from gateway.searchers.service import Service
from gateway.store.database import MissingExtraError

_PACKAGES = ("arena", "jinja2", "matplotlib", "msgspec", "numba", "scipy")
"""The packages that `python -m arena serve` imports."""

FOLDER = web.AppKey("arena folder", Path)
"""The folder of matches. Without this key, the application serves no matches."""

_SESSION = web.AppKey("arena", aiohttp.ClientSession)

_PATIENCE = 120.0
"""Seconds for an answer: a match's first replay may wait for the compilation of the rules."""

_PAUSE = 0.2
"""Seconds between two attempts to reach a starting arena."""

_ASKED = ("Accept-Encoding", "If-None-Match")
"""The forwarded headers of a request."""

_PASSED_ON = ("Content-Type", "Content-Encoding", "Content-Security-Policy", "ETag", "X-Content-Type-Options")
"""The forwarded headers of an answer."""


def require_arena() -> None:
    """Raise MissingExtraError unless the arena is installed."""
    missing = [name for name in _PACKAGES if find_spec(name) is None]
    if missing:
        raise MissingExtraError(f"{', '.join(missing)} not installed: run {pip_install('arena')}")


async def running(app: web.Application) -> AsyncIterator[None]:
    """Run the arena's service while an application runs: a cleanup context. Without a folder, do nothing."""
    if FOLDER not in app:
        yield
        return
    command = (sys.executable, "-m", "arena", "serve", str(app[FOLDER]), "--listen")
    async with embedded(Service(command, "arena")) as address:
        connector = aiohttp.UnixConnector(path_of(address))
        # The session's own header would let the arena compress for clients that don't accept it.
        skipped = [hdrs.ACCEPT_ENCODING]
        async with aiohttp.ClientSession(
            connector=connector, auto_decompress=False, skip_auto_headers=skipped
        ) as app[_SESSION]:
            yield


async def forward(request: web.Request) -> web.StreamResponse:
    """Forward a request to the arena, and return its answer."""
    session = request.app.get(_SESSION)
    if session is None:
        return error_reply(404, "No folder of matches is served: start the gateway with --arena FOLDER.")
    try:
        async with asyncio.timeout(_PATIENCE):
            answer = await _ask(session, request)
    except TimeoutError:
        return error_reply(503, "The arena does not answer; the log of the gateway says why.")
    async with answer:
        if answer.status == HTTPStatus.NOT_FOUND:
            return web.Response(
                body=await answer.read(), status=answer.status, content_type=answer.content_type
            )
        return await _passed_on(request, answer)


HANDLERS = (
    web.get("/api/arena", forward),
    web.get("/api/arena/matches/{name}", forward),
    web.get("/api/arena/matches/{name}/games/{key}", forward),
    web.get("/arena/reports/{name}", forward),
)


async def _ask(session: aiohttp.ClientSession, request: web.Request) -> aiohttp.ClientResponse:
    """Send a request to the arena; repeat it while the arena is starting."""
    asked = {name: request.headers[name] for name in _ASKED if name in request.headers}
    # The path keeps its escaped characters.
    url = URL(f"http://arena{request.rel_url.raw_path}", encoded=True)
    while True:
        try:
            return await session.get(url, headers=asked)
        except aiohttp.ClientConnectionError:
            await asyncio.sleep(_PAUSE)


async def _passed_on(request: web.Request, answer: aiohttp.ClientResponse) -> web.StreamResponse:
    headers = {name: answer.headers[name] for name in _PASSED_ON if name in answer.headers}
    response = web.StreamResponse(status=answer.status, headers=headers)
    await response.prepare(request)
    async for part in answer.content.iter_any():
        await response.write(part)
    await response.write_eof()
    return response
