"""The API of games: /api/games, the events of live ones, and games of other servers."""

from collections.abc import AsyncGenerator

import msgspec
from aiohttp import web

from battlesnake_search.reader import BadBody
from gateway.admin.event_stream import send_events
from gateway.admin.replies import decode_posted, error_reply, json_reply
from gateway.replay.address import RemoteGameError
from gateway.replay.imports import Importer
from gateway.store.feed import ALL, Feed, Reader, TooManyReadersError
from gateway.store.library import Library

LIBRARY = web.AppKey("library", Library)
FEED = web.AppKey("feed", Feed)
IMPORTER = web.AppKey("importer", Importer)

_DEFAULT_LIMIT = 50
_MAX_LIMIT = 200

_HEARTBEAT = 15.0
"""Seconds of silence after which a reader gets a comment, which shows whether it is still there."""

_NO_GAMES = "no games are recorded: --games is none"


class _Import(msgspec.Struct):
    """The body of a request to read a game of another server."""

    address: str


_import_decoder = msgspec.json.Decoder(_Import)


async def games(request: web.Request) -> web.Response:
    """Answer with the newest games, at most ?limit= of them, or with those older than the game ?before=."""
    if LIBRARY not in request.app:
        return json_reply({"games": []})
    limit = request.query.get("limit", str(_DEFAULT_LIMIT))
    if not (limit.isdecimal() and 1 <= int(limit) <= _MAX_LIMIT):
        return error_reply(400, f"limit must be from 1 to {_MAX_LIMIT}: not {limit}")
    before = request.query.get("before")
    try:
        found = await request.app[LIBRARY].newest(before, int(limit))
    except KeyError:
        return error_reply(404, f"no such game: {before}")
    return json_reply({"games": found})


async def game(request: web.Request) -> web.Response:
    """Answer with a whole game."""
    if LIBRARY not in request.app:
        return error_reply(404, _NO_GAMES)
    found = await request.app[LIBRARY].game(request.match_info["game"])
    if found is None:
        return error_reply(404, f"no such game: {request.match_info['game']}")
    return json_reply(found)


async def import_game(request: web.Request) -> web.Response:
    """Read a game of another server, and answer with its id."""
    if IMPORTER not in request.app:
        return error_reply(404, _NO_GAMES)
    try:
        wanted = decode_posted(_import_decoder, await request.read())
        return json_reply({"game": await request.app[IMPORTER].read(wanted.address)})
    except BadBody as error:
        return json_reply({"error": error.reason, "field": error.field}, 400)
    except RemoteGameError as error:
        return error_reply(error.status, str(error))


async def events(request: web.Request) -> web.StreamResponse:
    """Send the events of a game, or of all games, as they happen."""
    if FEED not in request.app:
        return error_reply(404, _NO_GAMES)
    try:
        with request.app[FEED].reading(request.match_info.get("game", ALL)) as reader:
            return await send_events(request, _followed(reader))
    except TooManyReadersError:
        return error_reply(503, "too many readers of events")


async def _followed(reader: Reader) -> AsyncGenerator[bytes]:
    # A browser counts the connection as open when the first bytes arrive.
    yield b": follows\n\n"
    while not reader.is_dropped:
        yield await reader.next(_HEARTBEAT)


HANDLERS = (
    web.get("/api/games", games),
    web.post("/api/games/import", import_game),
    web.get("/api/games/{game}", game),
    web.get("/api/games/{game}/events", events),
    web.get("/api/events", events),
)
