"""The HTTP paths of a folder: its contents, each match, the replays of its games, and its reports."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import msgspec
from aiohttp import web

from arena.serving.folder import Folder
from arena.serving.followed import UnknownFileError
from arena.serving.summary import summary

FOLDER = web.AppKey("folder", Folder)

_READING = web.AppKey("reading", asyncio.Lock)
"""The folder's matches are read by one request at a time."""

_SANDBOX = {"Content-Security-Policy": "sandbox allow-scripts", "X-Content-Type-Options": "nosniff"}
"""A report runs its own script, but as a page from nowhere: it reaches nothing of the site that serves it."""


def build(folder: Folder) -> web.Application:
    """Build the application."""
    app = web.Application()
    app[FOLDER], app[_READING] = folder, asyncio.Lock()
    app.add_routes(
        [
            web.get("/api/arena", contents),
            web.get("/api/arena/matches/{name}", match),
            web.get("/api/arena/matches/{name}/games/{key}", replay),
            web.get("/arena/reports/{name}", report),
        ]
    )
    return app


async def contents(request: web.Request) -> web.StreamResponse:
    """Answer with the matches and the reports of the folder."""
    return await _answer(request, lambda folder: folder.contents())


async def match(request: web.Request) -> web.StreamResponse:
    """Answer with a match as it stands; with 304 if the client has that already."""
    name = request.match_info["name"]
    known = {tag.value for tag in request.if_none_match or ()}

    def read(folder: Folder) -> _Versioned:
        found = folder.match(name)
        return _Versioned(found.version, None if found.version in known else summary(found, name))

    return await _answer(request, read)


async def replay(request: web.Request) -> web.StreamResponse:
    """Answer with the replay of a game."""
    name, key = request.match_info["name"], request.match_info["key"]
    return await _answer(request, lambda folder: folder.match(name).replay(key))


async def report(request: web.Request) -> web.StreamResponse:
    """Answer with a report, in a sandbox."""
    try:
        path = request.app[FOLDER].report(request.match_info["name"])
    except UnknownFileError as error:
        return _error(404, error)
    return web.FileResponse(path, headers=_SANDBOX)


@dataclass(frozen=True, slots=True)
class _Versioned:
    """An answer with its version; without content if the client has it."""

    version: str
    content: object | None


async def _answer(request: web.Request, read: Callable[[Folder], object]) -> web.StreamResponse:
    """Answer with what is read from the folder as JSON."""
    try:
        async with request.app[_READING]:
            found = await asyncio.to_thread(read, request.app[FOLDER])
    except UnknownFileError as error:
        return _error(404, error)
    except (ValueError, OSError) as error:
        return _error(422, error)
    version, content = (found.version, found.content) if isinstance(found, _Versioned) else (None, found)
    if content is None:
        response = web.Response(status=304)
    else:
        response = web.Response(body=msgspec.json.encode(content), content_type="application/json")
        response.enable_compression()
    if version is not None:
        response.etag = version
    return response


def _error(status: int, error: Exception) -> web.Response:
    body = msgspec.json.encode({"error": str(error)})
    return web.Response(body=body, status=status, content_type="application/json")
