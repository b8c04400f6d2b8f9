"""The API of games: /api/games, and the events of live ones."""

from collections.abc import AsyncGenerator

from aiohttp import web

from gateway.admin.event_stream import send_events
from gateway.admin.replies import error_reply, json_reply
from gateway.store.feed import ALL, Feed, Reader, TooManyReadersError
from gateway.store.library import Library

LIBRARY = web.AppKey("library", Library)
FEED = web.AppKey("feed", Feed)

_DEFAULT_LIMIT = 50
_MAX_LIMIT = 200

_HEARTBEAT = 15.0
"""Seconds of silence after which a reader gets a comment, which shows whether it is still there."""

_NO_GAMES = "no games are recorded: --games is none"


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
    web.get("/api/games/{game}", game),
    web.get("/api/games/{game}/events", events),
    web.get("/api/events", events),
)
