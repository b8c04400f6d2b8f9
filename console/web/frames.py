"""Recorded games for boards of other sites, at the paths of the official engine's server.

GET /games/{game} has the facts, and /games/{game}/frames the frames of turns. The websocket
/games/{game}/events sends all frames, and then `game_end`. Those of a running game follow as they are stored.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import NamedTuple

import msgspec
from aiohttp import WSCloseCode, hdrs, web
from yarl import URL

from battlesnake_search.common.types import Json
from console.settings import ANY_BOARD
from console.store.feed import Reader, TooManyReadersError, read_event
from console.store.records import RUNNING
from console.store.values import Cell, Facts, Game, Placed, Turn
from console.web.games import FEED, asked_game
from console.web.replies import (
    PUBLIC,
    WRITE_TIMEOUT,
    RefusedError,
    compress,
    error_reply,
    json_reply,
    whole_number,
)

BOARDS = web.AppKey("boards", tuple[str, ...])
"""The origins of the boards whose pages may read games; ANY_BOARD is every page."""

MOST_FRAMES = 1000
"""The most frames of an answer."""

_DEFAULT_FRAMES = 100
"""The frames of an answer without a limit."""

LONGEST_MESSAGE = 4096
"""The most bytes of a message from a board, which has nothing to say."""

_HEARTBEAT = 15.0
"""Seconds between two pings."""


async def game(request: web.Request) -> web.Response:
    """Answer with the facts of a game, and its last frame."""
    shown = await asked_game(request)
    found = list(map(Frames(shown).add, shown.turns))
    body = {"Game": facts(shown), "LastFrame": found[-1] if found else None}
    return compress(request, json_reply(body))


async def some_frames(request: web.Request) -> web.Response:
    """Answer with at most ?limit= frames, from the one with the number ?offset= on."""
    numbers = []
    for name, otherwise, least, most in (("offset", 0, 0, None), ("limit", _DEFAULT_FRAMES, 1, MOST_FRAMES)):
        text = request.query.get(name, str(otherwise))
        number = whole_number(text)
        if number is None or number < least or (most and number > most):
            wanted = f"from {least} to {most}" if most else "a number of frames"
            raise RefusedError(400, f"{name} must be {wanted}: not {text}")
        numbers.append(number)
    shown = await asked_game(request)
    offset, limit = numbers
    found = list(map(Frames(shown).add, shown.turns[: offset + limit]))[offset:]
    return compress(request, json_reply({"Count": len(found), "Frames": found}))


async def preflight(request: web.Request) -> web.Response:
    """Answer a browser that asks whether a board may read a game of this machine."""
    response = web.Response(status=204)
    if _may_read(request, request.headers.get(hdrs.ORIGIN, "")):
        response.headers[hdrs.ACCESS_CONTROL_ALLOW_METHODS] = hdrs.METH_GET
        response.headers["Access-Control-Allow-Private-Network"] = "true"
    return response


async def open_to_boards(request: web.Request, response: web.StreamResponse) -> None:
    """Let the pages of boards read the answers at these paths, also errors."""
    if not request.path.startswith("/games/"):
        return
    origin = request.headers.get(hdrs.ORIGIN, "")
    if _may_read(request, origin):
        response.headers[hdrs.ACCESS_CONTROL_ALLOW_ORIGIN] = origin
    response.headers.add(hdrs.VARY, hdrs.ORIGIN)


def _may_read(request: web.Request, origin: str) -> bool:
    boards = request.app[BOARDS]
    return bool(origin) and (ANY_BOARD in boards or origin.lower() in boards)


async def events(request: web.Request) -> web.StreamResponse:
    """Send the events of a game to a websocket."""
    origin = request.headers.get(hdrs.ORIGIN)
    # A browser lets every page open a websocket, and leaves the check to the server.
    if origin and not _may_read(request, origin) and URL(origin).authority != request.host:
        return error_reply(403, f"pages of {origin} may not read games; --boards names those that may")
    socket = web.WebSocketResponse(heartbeat=_HEARTBEAT, compress=False, max_msg_size=LONGEST_MESSAGE)
    if not socket.can_prepare(request).ok:
        return error_reply(426, "a websocket must be opened here")
    name = request.match_info["game"]
    try:
        with request.app[FEED].reading(name, is_public=PUBLIC in request.app) as reader:
            shown = await asked_game(request)
            if shown.id != name:
                # The reader has news of the whole id alone.
                raise RefusedError(404, f"no such game: {name}")
            await socket.prepare(request)
            await _send(socket, _events(shown, reader))
    except TooManyReadersError:
        return error_reply(503, "too many readers of events")
    return socket


async def _send(socket: web.WebSocketResponse, sent: AsyncIterator[Json]) -> None:
    """Send events until they end, the reader leaves or it is too slow."""
    sending = asyncio.create_task(_send_all(socket, sent))
    # Only a reader of the socket sees pongs and the close of the other side.
    async for _ in socket:
        pass
    sending.cancel()
    with suppress(asyncio.CancelledError, TimeoutError, ConnectionError):
        await sending


async def _send_all(socket: web.WebSocketResponse, sent: AsyncIterator[Json]) -> None:
    code = WSCloseCode.TRY_AGAIN_LATER
    try:
        async for event in sent:
            async with asyncio.timeout(WRITE_TIMEOUT):
                await socket.send_str(msgspec.json.encode(event).decode())
            # Other requests go on during a long game.
            await asyncio.sleep(0)
            code = WSCloseCode.OK if event["Type"] == "game_end" else code
    finally:
        await socket.close(code=code)


async def _events(game: Game, reader: Reader) -> AsyncIterator[Json]:
    """Yield the events of a game, up to its end, or until its reader has missed some."""
    known, last = Frames(game), -1
    for turn in game.turns:
        yield {"Type": "frame", "Data": known.add(turn)}
        last = turn.turn
    over = game.over
    while not over and not reader.is_dropped:
        name, data = read_event(await reader.next(_HEARTBEAT))
        if name == "turn":
            turn = msgspec.json.decode(data, type=Turn)
            if turn.turn > last:
                yield {"Type": "frame", "Data": known.add(turn)}
                last = turn.turn
        over = name == "end"
    if over:
        yield {"Type": "game_end", "Data": facts(game) | {"Status": "complete"}}


def facts(game: Facts) -> Json:
    """Return what the engine tells of a game besides its frames."""
    settings = {"name": game.ruleset} | _texts(msgspec.to_builtins(game.settings))
    return {
        "ID": game.id,
        "Status": _status(game),
        "Width": game.width,
        "Height": game.height,
        "Ruleset": settings,
        "RulesetName": game.ruleset,
        "RulesStages": [],
        "Map": game.map,
        "SnakeTimeout": game.timeout_ms,
        "Source": "",
    }


def _texts(values: Json) -> Json:
    """Return settings in one level, as texts."""
    texts: Json = {}
    for name, value in values.items():
        texts |= _texts(value) if isinstance(value, dict) else {name: str(value)}
    return texts


def _status(game: Facts) -> str:
    if not game.over or (game.result is None and game.source == RUNNING):
        return "running"
    return "complete" if game.result else "stopped"


class _Death(NamedTuple):
    turn: int
    cause: str
    by: str


class Frames:
    """The frames of a game, made from its turns in order.

    A dead snake stays where it was last alive, because its last move is not recorded. Its death is in the
    first recorded turn without it.
    """

    def __init__(self, game: Game) -> None:
        self._snakes = game.snakes
        self._last: dict[int, Placed] = {}
        self._deaths: dict[int, _Death] = {}

    def add(self, turn: Turn) -> Json:
        """Return the frame of the next turn."""
        for number, placed in enumerate(turn.snakes[: len(self._snakes)]):
            if placed:
                self._last[number] = placed
            elif number in self._last:
                self._deaths.setdefault(number, self._death(turn, number))
        return {
            "Turn": turn.turn,
            "Snakes": [self._snake(number, placed) for number, placed in sorted(self._last.items())],
            "Food": _points(turn.food),
            "Hazards": _points(turn.hazards),
        }

    def _death(self, turn: Turn, number: int) -> _Death:
        death = next((each for each in turn.deaths if each.snake == number), None)
        by = None if death is None or death.by is None else self._snakes[death.by]
        since = death.turn_in(turn) if death else turn.turn
        return _Death(since, (death and death.cause) or "", by.id if by else "")

    def _snake(self, number: int, placed: Placed) -> Json:
        snake, death = self._snakes[number], self._deaths.get(number)
        dead = {"Cause": death.cause, "Turn": death.turn, "EliminatedBy": death.by} if death else None
        return {
            "ID": snake.id,
            "Name": snake.name,
            "Body": _points(placed.body),
            "Health": placed.health,
            "Death": dead,
            "Color": snake.color,
            "HeadType": snake.head,
            "TailType": snake.tail,
            "Latency": "0" if dead else f"{placed.latency:.0f}",
            "Shout": "",
            "Squad": "",
            "Author": "",
        }


def _points(cells: list[Cell]) -> list[Json]:
    return [{"X": x, "Y": y} for x, y in cells]


HANDLERS = (
    web.get("/games/{game}", game),
    web.get("/games/{game}/frames", some_frames),
    web.get("/games/{game}/events", events),
    *(web.options(path, preflight) for path in ("/games/{game}", "/games/{game}/frames")),
)
