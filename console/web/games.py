"""The API of games: the overview, all games, the events of live games, and games of other servers."""

import asyncio
from collections.abc import AsyncGenerator

import msgspec
from aiohttp import web
from yarl import URL

from battlesnake_search.common.types import Json
from battlesnake_search.record.status import SearcherStatus, SnakeStatus
from console.gateway import Gateways
from console.replay.remote import Importer
from console.replay.servers import RemoteGameError
from console.store.database import OutcomesDatabase
from console.store.feed import ALL, Feed, Reader, TooManyReadersError
from console.store.library import Library
from console.store.results import CHOICES, Results, Wanted
from console.store.values import Game
from console.store.writer import Writer
from console.web.replies import (
    PUBLIC,
    RefusedError,
    compress,
    decode_posted,
    error_reply,
    json_reply,
    send_events,
    shown,
    whole_number,
)

LIBRARY = web.AppKey("library", Library)
FEED = web.AppKey("feed", Feed)
IMPORTER = web.AppKey("importer", Importer)
GATEWAYS = web.AppKey("gateways", Gateways)
WRITER = web.AppKey("writer", Writer)
DATABASE = web.AppKey("database", OutcomesDatabase)

_DEFAULT_LIMIT = 50
_MAX_LIMIT = 200

_HEARTBEAT = 15.0
"""Seconds of silence after which a reader gets a comment, to detect a closed connection."""

_NO_GAMES = "no games are recorded: --games is none"


class _Import(msgspec.Struct):
    """The body of a request to keep a game of another server, or of a file of the official engine."""

    address: str = ""
    file: str = ""
    """The text of the file."""


async def games(request: web.Request) -> web.Response:
    """Answer with at most ?limit= games: the newest ones, or the newest ones before the game ?before=.

    The other parameters are the fields of a filter.
    """
    if LIBRARY not in request.app:
        return json_reply({"games": []})
    wanted = request.query.get("limit", str(_DEFAULT_LIMIT))
    limit = whole_number(wanted)
    if limit is None or not 1 <= limit <= _MAX_LIMIT:
        return error_reply(400, f"limit must be from 1 to {_MAX_LIMIT}: not {wanted}")
    before = request.query.get("before")
    try:
        found = await request.app[LIBRARY].found(_wanted(request), before, limit)
    except KeyError:
        raise RefusedError(404, f"no such game: {before}") from None
    return compress(request, json_reply({"games": shown(request, found)}))


async def results(request: web.Request) -> web.Response:
    """Answer with the results of the games that a filter admits."""
    if LIBRARY not in request.app:
        return json_reply(Results().as_json())
    found = await request.app[LIBRARY].results(_wanted(request))
    return compress(request, json_reply(found.as_json()))


def _wanted(request: web.Request) -> Wanted:
    """Return the filter in the query. Raises RefusedError that names the invalid field."""
    fields = {name: value for name, value in request.query.items() if name not in ("limit", "before")}
    for name, choices in CHOICES.items():
        if fields.get(name) not in (None, "", *choices):
            raise RefusedError(400, f"{name}: must be one of {', '.join(choices)}, not {fields[name]}")
    # A filter reads many games, and would tell which arms there are.
    known = ("state",) if PUBLIC in request.app else Wanted.__struct_fields__
    if unknown := fields.keys() - set(known):
        raise RefusedError(400, f"{min(unknown)}: no such field; the fields are {', '.join(known)}")
    return Wanted(**fields)


async def game(request: web.Request) -> web.Response:
    """Answer with a whole game."""
    return compress(request, json_reply(shown(request, await asked_game(request))))


async def asked_game(request: web.Request) -> Game:
    """Return the game that a path names. Raises RefusedError if it is unknown."""
    if LIBRARY not in request.app:
        raise RefusedError(404, _NO_GAMES)
    name = request.match_info["game"]
    if (found := await request.app[LIBRARY].game(name)) is None:
        raise RefusedError(404, f"no such game: {name}")
    return found


async def import_game(request: web.Request) -> web.Response:
    """Keep a game of another server or of a file, and answer with its id."""
    if IMPORTER not in request.app:
        raise RefusedError(404, _NO_GAMES)
    try:
        wanted = decode_posted(_Import, await request.read())
        importer = request.app[IMPORTER]
        kept = importer.read_file(wanted.file.encode()) if wanted.file else importer.read(wanted.address)
        return json_reply({"game": await kept})
    except RemoteGameError as error:
        return error_reply(error.status, str(error))


async def events(request: web.Request) -> web.StreamResponse:
    """Send the events of a game, or of all games, as they happen."""
    if FEED not in request.app:
        raise RefusedError(404, _NO_GAMES)
    topic = request.match_info.get("game", ALL)
    try:
        with request.app[FEED].reading(topic, is_public=PUBLIC in request.app) as reader:
            return await send_events(request, _followed(reader))
    except TooManyReadersError:
        return error_reply(503, "too many readers of events")


async def _followed(reader: Reader) -> AsyncGenerator[bytes]:
    # A browser treats the connection as open when the first bytes arrive.
    yield b": follows\n\n"
    while not reader.is_dropped:
        yield await reader.next(_HEARTBEAT)


async def overview(request: web.Request) -> web.Response:
    """Answer with the readiness, the snakes, their searchers and experiments, and the number of games."""
    gateways = request.app[GATEWAYS]
    known, counts = await asyncio.gather(gateways.statuses(), _counts(request.app))
    status, readiness = gateways.together(known)
    snakes: list[Json] = []
    for one in known:
        shown = [_snake(request, snake, one.port) for snake in one.snakes]
        snakes += [snake for snake in shown if snake not in snakes]
    body = {
        "readiness": readiness.body,
        "snakes": snakes,
        "searchers": [_searcher(searcher) for searcher in status.searchers] if status else [],
        "experiments": status.experiments if status else [],
        "counts": counts | {"probes": status.probes if status else 0},
        "moves": status.moves if status else None,
        "started_at": status.started_at if status else None,
        "gateways": len(gateways),
        "database": _database(request.app),
        "replay_servers": request.app[IMPORTER].servers if IMPORTER in request.app else (),
    }
    return json_reply(body)


def _searcher(searcher: SearcherStatus) -> Json:
    return {**msgspec.structs.asdict(searcher), "serving": not searcher.trouble}


async def _counts(app: web.Application) -> Json:
    counts: Json = {"lost_records": app[WRITER].lost_records}
    if library := app.get(LIBRARY):
        counts |= {"games_now": library.playing, "games_kept": await library.count()}
    return counts


def _database(app: web.Application) -> Json | None:
    """Return the state of the database, and the number of items that wait for it; None without a database."""
    if not app[DATABASE].url:
        return None
    state = app[WRITER].state
    return {"state": str(state), "lost": state.is_lost, "waiting": app[WRITER].waiting}


def _snake(request: web.Request, snake: SnakeStatus, port: int) -> Json:
    looks = {field: getattr(snake, field) for field in ("path", "name", "color", "head", "tail")}
    return looks | {"strategy": ", ".join(snake.strategies)} | _url(request, snake, port)


def _url(request: web.Request, snake: SnakeStatus, port: int) -> Json:
    """Return the snake's address on the host name of the console's request.

    Empty if its port is unknown, or if the address has a token: the console does not show tokens.
    """
    if not port or not request.url.host or snake.has_token:
        return {}
    return {"url": str(URL.build(scheme="http", host=request.url.host, port=port, path=snake.path))}


HANDLERS = (
    web.get("/api/overview", overview),
    web.get("/api/games", games),
    web.get("/api/results", results),
    web.post("/api/games/import", import_game),
    web.get("/api/games/{game}", game),
    web.get("/api/games/{game}/events", events),
    web.get("/api/events", events),
)
