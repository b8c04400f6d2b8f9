"""The handlers of the Battlesnake API: /, /start, /move and /end. The trace of a request begins here."""

import html
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from importlib.metadata import version
from pathlib import Path
from string import Template

import msgspec
from aiohttp import hdrs, web
from opentelemetry.trace import Span, SpanKind

from battlesnake_search.board import MOVES, Turn
from battlesnake_search.common import tracing
from battlesnake_search.common.logs import get_logger
from battlesnake_search.common.sparse import Sparse
from battlesnake_search.common.tracing import Value
from battlesnake_search.ports.headers import HTML, page_headers, prefers_html, tidied
from battlesnake_search.reader import BadBody, read
from gateway import reflex
from gateway.game.events import Events
from gateway.game.running_games import Games
from gateway.metrics import METRICS
from gateway.outbox.link import Link
from gateway.play.player import Answer, Player
from gateway.routes.config import SnakeRoute
from gateway.routes.draw import Choice, choose_arm
from gateway.routes.reload import ROUTES

REFUSED = web.AppKey("refused", Sparse)
"""The lines about bodies that are not played. Strangers can send any number of such bodies."""

PLAYER = web.AppKey("player", Player)
GAMES = web.AppKey("games", Games)
EVENTS = web.AppKey("events", Events)
LINK = web.AppKey("link", Link)
"""The link to the console; missing if games are not recorded."""

ARM_HEADER = "X-Battlesnake-Arm"
"""The header by which a request may name its arm, if the routes allow it."""

_log = get_logger(__name__)

_VERSION = version("battlesnake-search")
_EMPTY = b"{}"
_WELCOME = Template((Path(__file__).parent / "welcome.html").read_text())
_MOVES = {move: msgspec.json.encode({"move": move}) for move in MOVES}

_Handler = Callable[[web.Request], Awaitable[web.Response]]
_TurnHandler = Callable[[web.Application, Turn, Choice, float], Awaitable[bytes]]


async def index(request: web.Request) -> web.Response:
    """Answer with the snake's appearance: JSON for the engine, a page for a browser."""
    snake = request.app[ROUTES].current.at(_address(request))
    if snake is None:
        raise web.HTTPNotFound
    if prefers_html(",".join(request.headers.getall(hdrs.ACCEPT, ()))):
        page = _welcome(request, snake)
        # Caches must not send the page to the engine.
        headers = page_headers(page) | {hdrs.VARY: hdrs.ACCEPT}
        return web.Response(body=page, content_type=HTML, charset="utf-8", headers=headers)
    appearance = {"author": snake.author, "color": snake.color, "head": snake.head, "tail": snake.tail}
    name = {"name": snake.name} if snake.name else {}
    return _json(msgspec.json.encode({"apiversion": "1", **name, **appearance, "version": _VERSION}))


def _welcome(request: web.Request, snake: SnakeRoute) -> bytes:
    """Return the page about a snake, for browsers that open its address."""
    looks = {field: html.escape(getattr(snake, field)) for field in ("color", "head", "tail", "author")}
    # Behind a proxy that ends TLS, the request itself does not show TLS.
    scheme = "https" if request.headers.get("X-Forwarded-Proto") == "https" else request.scheme
    address = html.escape(str(request.url.with_query(None).with_fragment(None).with_scheme(scheme)))
    page = _WELCOME.substitute(looks, name=html.escape(snake.name or "A Battlesnake"), address=address)
    return page.encode()


def _webhook(handle_turn: _TurnHandler) -> _Handler:
    """Return a handler that decodes the turn and passes it, its choice and its time of arrival on."""

    async def handler(request: web.Request) -> web.Response:
        # The clock of a uvloop stands still while its callbacks run, and has a resolution of a millisecond.
        arrived = time.monotonic()
        routes, address = request.app[ROUTES], _address(request)
        snake = routes.snake_for(address)
        if snake is None:
            raise web.HTTPNotFound
        try:
            reading = read(await request.read())
        except BadBody as error:
            return _bad_body(request, snake, error)
        turn = reading.turn
        if turn.is_huge:
            return _json(_unplayed(request.app, handle_turn, turn))
        with (
            tracing.request(request.headers),
            tracing.playing(turn.game.id),
            _span(handle_turn, turn),
        ):
            if snake.address != address:
                routes.log_stand_in(address, turn)
            with tracing.span("choose the arm") as span:
                choice = choose_arm(routes.current, snake, turn, request.headers.get(ARM_HEADER, ""))
                span.set_attributes({"battlesnake.snake": snake.path, "battlesnake.arm": choice.arm.name})
            try:
                answer = await handle_turn(request.app, turn, choice, arrived)
            except BadBody as error:
                return _bad_body(request, snake, error)
            if reading.mended:
                # Record the kinds only now, because by now the turn has a game.
                request.app[GAMES].note_mends(turn, reading.mended)
            return _json(answer)

    return handler


def _unplayed(app: web.Application, handle_turn: _TurnHandler, turn: Turn) -> bytes:
    """Answer a turn whose board is larger than any engine's.

    Nothing is recorded, and at most a log line is written.
    """
    board = turn.board
    app[REFUSED].log(
        _log, logging.WARNING, "huge board", game_id=turn.game.id, width=board.width, height=board.height
    )
    return _MOVES[reflex.choose(turn)] if handle_turn.__name__ == "move" else _EMPTY


def _span(handle_turn: _TurnHandler, turn: Turn) -> AbstractContextManager[Span]:
    """Return the span of a webhook."""
    attributes: dict[str, Value] = {"battlesnake.game": turn.game.id, "battlesnake.turn": turn.turn}
    return tracing.span(f"POST /{handle_turn.__name__}", SpanKind.SERVER, attributes)


def _address(request: web.Request) -> str:
    """Return the address of the request's snake; it may contain a token."""
    return f"/{request.match_info.get('snake', '')}"


def _bad_body(request: web.Request, snake: SnakeRoute, error: BadBody) -> web.Response:
    request.app[METRICS].bad_requests.inc()
    # This leaves out the token that the request's path may have.
    path = f"{snake.path.rstrip('/')}/{tidied(request.path).rpartition('/')[2]}"
    request.app[REFUSED].log(
        _log, logging.WARNING, "bad body", path=path, field=error.field, error=error.reason
    )
    return _json(msgspec.json.encode({"error": error.reason, "field": error.field}), status=400)


@_webhook
async def start(app: web.Application, turn: Turn, choice: Choice, _arrived: float) -> bytes:
    """Record the start of a game."""
    app[GAMES].start(turn, choice)
    return _EMPTY


@_webhook
async def move(app: web.Application, turn: Turn, choice: Choice, arrived: float) -> bytes:
    """Answer with a move. If the snake's head is not on the board, it is a reflex, without a search."""
    if not turn.you.body:
        raise BadBody("has no body, neither here nor on the board", "you.body")
    if not turn.can_move:
        return _MOVES[reflex.choose(turn)]
    games = app[GAMES]
    if same := games.same(turn):
        return _MOVES[await same]
    with games.asking(turn, choice) as asked:
        with app[METRICS].moves.searching():
            answer = await app[PLAYER].answer(asked.view, choice, asked.game.budget, arrived)
        asked.answer = answer
    _describe(answer)
    return _MOVES[answer.move]


def _describe(answer: Answer) -> None:
    """Add the answer to the span of a move."""
    attributes: dict[str, Value] = {
        "battlesnake.move": answer.move,
        "battlesnake.source": answer.source.value,
    }
    if answer.result is not None:
        attributes |= {"battlesnake.depth": answer.result.depth, "battlesnake.nodes": answer.result.nodes}
    tracing.set_attributes(attributes)


@_webhook
async def end(app: web.Application, turn: Turn, choice: Choice, _arrived: float) -> bytes:
    """Record the end of a game. The outbox, and the console if set, has it before the answer leaves."""
    app[GAMES].end(turn, choice)
    if link := app.get(LINK):
        app[EVENTS].flush()
        await link.sync()
    return _EMPTY


HANDLERS = (web.get("/", index), web.post("/start", start), web.post("/move", move), web.post("/end", end))

_POSTED = "|".join(one.path.strip("/") for one in HANDLERS if one.method == "POST")

SNAKE_HANDLERS = (
    # The official engine requests the index without the trailing slash. A GET of a webhook's path gets
    # 405 and not 404, because the path is no snake.
    web.get(f"/{{snake:(?!(?:{_POSTED})$)[^/]+}}", index),
    web.get("/{snake}/", index),
    *(web.post(f"/{{snake}}{one.path}", one.handler) for one in HANDLERS if one.method == "POST"),
)
"""The handlers of the Battlesnake API below the path of each snake of the routes."""


def _json(body: bytes, status: int = 200) -> web.Response:
    # A body of known length is sent in one packet with its headers.
    return web.Response(body=body, status=status, content_type="application/json")
