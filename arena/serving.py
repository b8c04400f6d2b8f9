"""Opponents of the pool as Battlesnakes at URLs, for any engine. They keep no state between turns."""

import asyncio
import colorsys
import time
import zlib
from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from queue import SimpleQueue

import msgspec
from aiohttp import web

from arena.games.entrants import choice_in, one_turn_opponents, pool_names, split_text
from arena.players.one_turn import OneTurnPlayer, Rate, Rating
from arena.pool._guard import safety
from arena.pool._searches import SEARCHING_OPPONENTS
from arena.pool.greedy import rate as rate_food
from battlesnake_search.board import Turn
from battlesnake_search.common.cli import stopping
from battlesnake_search.contract.limits import LARGEST_BODY
from battlesnake_search.ports import headers
from battlesnake_search.ports.bounds import DEFAULT_PORT_BOUNDS, with_open_files
from battlesnake_search.ports.checks import refusal_of
from battlesnake_search.ports.connections import BoundedSite, whole_requests
from battlesnake_search.ports.headers import UntidyPaths
from battlesnake_search.reader import BadBody, read
from battlesnake_search.searchable import position_of
from searcher.engine.position import Direction, Position
from searcher.engine.result import Limits
from searcher.engine.rules.records import SHAPES
from searcher.engine.search.clock import Clock
from searcher.errors import InvalidRequestError
from searcher.interface import Strategy
from searcher.precompile.code_units import CodeUnit, StrategyCode, codes_for
from searcher.precompile.prepare import prepare_code
from searcher.session import SearchSession
from searcher.tools.move_body_check import checked_task

_SEARCH_SHARE, _ANSWER_SHARE = 0.6, 0.75
"""The shares of a game's timeout after which a search ends, and after which a move leaves without it."""

_LONGEST_TIMEOUT = 10.0
"""The longest timeout in seconds. Longer ones are shortened to it."""

_SEARCHES = 8
"""The most searches at once. Each has a table of 16 MiB. A move that waits too long for its search is a
reflex."""

_NEEDED_SHAPES = (*SHAPES[:2], SHAPES[-1])
"""The shapes that searches are compiled for at the start: duels and games of four on 11x11, and the largest
one. It holds the other boards, and is slower there."""

_LAST_MOVES_SECONDS = 2.5
"""The seconds that requests in progress get at the end."""


class Opponent:
    """A snake that answers turns of any number of games."""

    def __init__(self, rate: Rate = rate_food) -> None:
        self._reflex = OneTurnPlayer(rate)

    async def move(self, position: Position, limits: Limits, _seconds: float) -> Direction:
        """Return a move before `seconds` are over. A reflex uses only the seed of the limits."""
        return self._reflex.move(position, limits.seed)

    def finish(self) -> None:
        """End all searches with the results that they have."""


class SearchingOpponent(Opponent):
    """A snake that searches in threads. A reflex replaces a search that ends too late."""

    def __init__(
        self, strategy: Strategy, threads: ThreadPoolExecutor, sessions: SimpleQueue[SearchSession]
    ) -> None:
        super().__init__()
        self._sessions = sessions
        self._strategy = strategy
        self._threads = threads
        parts = (StrategyCode(strategy.search, strategy.evaluator, shape) for shape in SHAPES)
        self._shapes = {part.shape for part in parts if part.is_loadable()}
        self._clocks: set[Clock] = set()

    async def move(self, position: Position, limits: Limits, seconds: float) -> Direction:
        """Return the move of a search, or a reflex."""
        clock = Clock(time.monotonic() + _SEARCH_SHARE * seconds)
        self._clocks.add(clock)
        searching = asyncio.get_running_loop().run_in_executor(
            self._threads, self._search, position, limits, clock
        )
        try:
            return await asyncio.wait_for(searching, _ANSWER_SHARE * seconds)
        except TimeoutError:
            return await super().move(position, limits, seconds)
        finally:
            clock.stop()
            self._clocks.discard(clock)

    def _search(self, position: Position, limits: Limits, clock: Clock) -> Direction:
        if clock.stopped:
            raise TimeoutError
        codes = codes_for(position, self._strategy)
        shape = next(code.shape for code in codes if code.shape in self._shapes)
        session = self._sessions.get()
        try:
            return session.search(position, self._strategy, limits, clock, shape=shape).move
        finally:
            self._sessions.put(session)

    def finish(self) -> None:
        """End all searches with the results that they have."""
        for clock in self._clocks:
            clock.stop()


def prepare(names: Iterable[str]) -> None:
    """Compile the missing code of opponents, and show the progress on standard error."""
    searches = [strategy_of_opponent(name) for name in names if name in SEARCHING_OPPONENTS]
    plain = [opponent.rate for name, opponent in one_turn_opponents().items() if name in names]
    units: list[CodeUnit] = [
        Rating(rate, shape) for rate in dict.fromkeys((safety, rate_food, *plain)) for shape in SHAPES
    ]
    units += [
        StrategyCode(each.search, each.evaluator, shape) for each in searches for shape in _NEEDED_SHAPES
    ]
    prepare_code(units)


def strategy_of_opponent(name: str) -> Strategy:
    """Return the strategy of an opponent that searches."""
    choice = choice_in(*split_text(SEARCHING_OPPONENTS[name].text))
    assert isinstance(choice, Strategy)
    return choice


def opponents(names: Collection[str], threads: ThreadPoolExecutor) -> dict[str, Opponent]:
    """Return the opponents of these names. `prepare` has compiled their code."""
    searching = any(name in SEARCHING_OPPONENTS for name in names)
    # Tables of the first searches are ready before the first move, because their memory takes time.
    sessions: SimpleQueue[SearchSession] = SimpleQueue()
    for _ in range(_SEARCHES if searching else 0):
        sessions.put(SearchSession())
    return {
        name: SearchingOpponent(strategy_of_opponent(name), threads, sessions)
        if name in SEARCHING_OPPONENTS
        else Opponent(one_turn_opponents()[name].rate)
        for name in names
    }


def color(name: str) -> str:
    """Return the colour of an opponent. The hues of the pool are equally far apart."""
    names = pool_names()
    red, green, blue = colorsys.hsv_to_rgb(names.index(name) / len(names), 0.75, 0.85)
    return f"#{round(255 * red):02x}{round(255 * green):02x}{round(255 * blue):02x}"


def application(served: Mapping[str, Opponent]) -> web.Application:
    """Return the application that serves opponents, each at its name. A single one is at / as well."""
    app = web.Application(middlewares=[whole_requests], client_max_size=LARGEST_BODY)
    app.on_response_prepare.append(headers.adding())
    snakes = _Snakes(served)
    for prefix in ("", "/{name}"):
        app.router.add_get(prefix or "/", snakes.index)
        app.router.add_post(f"{prefix}/move", snakes.move)
        for verb in ("start", "end"):
            app.router.add_post(f"{prefix}/{verb}", snakes.acknowledge)
    app.router.register_resource(UntidyPaths(app.router))
    app.on_shutdown.append(snakes.finish)
    return app


class _Snakes:
    """The handlers of the Battlesnake API."""

    def __init__(self, served: Mapping[str, Opponent]) -> None:
        self._served = served

    async def index(self, request: web.Request) -> web.Response:
        """Answer with the appearance of a snake."""
        name, _ = self._named(request)
        looks = {"author": "battlesnake-search", "color": color(name), "head": "default", "tail": "default"}
        return _json({"apiversion": "1", "name": name, **looks, "version": version("battlesnake-search")})

    async def acknowledge(self, request: web.Request) -> web.Response:
        """Answer /start and /end. Opponents keep no state of a game, so no field is needed."""
        self._named(request)
        return _json({})

    async def move(self, request: web.Request) -> web.Response:
        """Answer with a move. A snake whose head is not on the board goes up."""
        arrived = time.monotonic()
        _, opponent = self._named(request)
        try:
            turn = read(await request.read()).turn
            if not turn.you.body:
                raise BadBody("has no body, neither here nor on the board", "you.body")
            fitting = _position_in(turn)
        except BadBody as error:
            return _json({"error": error.reason, "field": error.field}, status=400)
        if fitting is None:
            return _json({"move": Direction.UP.name.lower()})
        timeout = min(turn.timeout / 1000, _LONGEST_TIMEOUT)
        seed = zlib.crc32(f"{turn.game.id}/{turn.turn}/{turn.you.id}".encode())
        left = max(timeout - (time.monotonic() - arrived), 0.0)
        position, root_moves = fitting
        limits = Limits(root_moves=root_moves, seed=seed)
        return _json({"move": (await opponent.move(position, limits, left)).name.lower()})

    async def finish(self, _app: web.Application) -> None:
        """End all searches."""
        for opponent in self._served.values():
            opponent.finish()

    def _named(self, request: web.Request) -> tuple[str, Opponent]:
        """Return the opponent at a path. Raises HTTPNotFound, with the valid paths, for another path."""
        alone = next(iter(self._served)) if len(self._served) == 1 else ""
        name = request.match_info.get("name", alone)
        if name in self._served:
            return name, self._served[name]
        valid = ", ".join(f"/{each}" for each in self._served)
        error = {"error": f"no snake is at /{name[:64]}; valid: {valid}"}
        raise web.HTTPNotFound(text=msgspec.json.encode(error).decode(), content_type=headers.JSON)


def _position_in(turn: Turn) -> tuple[Position, tuple[Direction, ...]] | None:
    """Return the position of a turn, and the only moves to search if snakes share our head's cell.

    None stands for a turn in which our snake can't move. Raises BadBody for an invalid turn.
    """
    if not turn.can_move:
        return None
    fitting = position_of(turn)
    try:
        position = checked_task(fitting.turn).position
    except InvalidRequestError as error:
        first = error.violations[0]
        raise BadBody(first.description, first.field) from None
    return position, tuple(Direction[move.upper()] for move in fitting.moves)


def _json(content: Mapping[str, str], status: int = 200) -> web.Response:
    return web.Response(body=msgspec.json.encode(content), status=status, content_type=headers.JSON)


async def serve(names: Collection[str], host: str, port: int) -> None:
    """Serve opponents until SIGTERM or Ctrl-C, and print their URLs. Port 0 is any free port.

    Raises ValueError, with the reason and the remedy, if the address is unavailable.
    """
    stopped = stopping()
    with ThreadPoolExecutor(_SEARCHES, "search") as threads:
        served = opponents(names, threads)
        runner = web.AppRunner(application(served), access_log=None, shutdown_timeout=_LAST_MOVES_SECONDS)
        await runner.setup()
        try:
            bounds = with_open_files(DEFAULT_PORT_BOUNDS)
            site = BoundedSite(runner, host, port, bounds, lambda _: None)
            try:
                await site.start()
            except OSError as error:
                reason, _ = refusal_of(host, port, error)
                raise ValueError(f"{reason}. Name another address with --host and --port.") from error
            for name in served:
                print(site.name if len(served) == 1 else f"{site.name}/{name}", flush=True)
            await stopped
        finally:
            await runner.cleanup()
