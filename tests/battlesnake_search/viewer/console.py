"""The console's pages, served with a strict policy, over an API that answers from recorded games."""

import asyncio
import gzip
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web

from battlesnake_search import viewer
from battlesnake_search.common.logs import short_id
from console.store.results import Results, Wanted
from console.store.values import Summary
from console.web import films, port
from console.web.replies import error_reply, json_reply

ROOT = Path(__file__).parents[3]
PAGES = ROOT / "console" / "web" / "pages"
RECORDED = ROOT / "tests" / "fixtures" / "console" / "four.json.gz"
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:"
PATIENCE = 10.0

Json = dict[str, Any]


def recorded_game() -> Json:
    """A game of four by the official engine, one of them ours, with its searches."""
    game: Json = json.loads(gzip.decompress(RECORDED.read_bytes()))
    return game


class Console:
    """The pages and games of a server. A live game grows turn by turn. `extend` adds paths to the server."""

    def __init__(self, extend: Callable[[web.Application], None] = lambda _: None) -> None:
        self._extend = extend
        whole = recorded_game()
        self.whole, self.address = whole, ""
        self.games = {whole["id"]: whole}
        self.overview: Json = OVERVIEW
        self._streams: dict[str, list[asyncio.Queue[str]]] = {}
        self._readers: set[asyncio.Task[Any]] = set()
        self._loop = asyncio.new_event_loop()

    def start_live(self, turns: int) -> str:
        """Add a game that has been played for a number of turns, tell its readers, and return its id."""
        live = self.whole | {"id": f"live-{turns}", "source": "live", "over": False, "result": None}
        live["turns"] = deepcopy(self.whole["turns"][:turns])
        self.games[live["id"]] = live
        self._send("", "start", {"game": live["id"]})
        return str(live["id"])

    def play_live(self, id_: str) -> None:
        """Add the next turn to a live game, and send it to its readers."""
        game = self.games[id_]
        turn = deepcopy(self.whole["turns"][len(game["turns"])])
        decisions, turn["decisions"] = turn["decisions"], [None] * len(turn["snakes"])
        game["turns"].append(turn | {"decisions": decisions})
        self._send(id_, "turn", turn)
        for snake, decision in enumerate(decisions):
            if decision:
                self._send(id_, "decision", {"turn": turn["turn"], "snake": snake, "decision": decision})
        self._send("", "turn", turn | {"game": id_})

    def end_live(self, id_: str) -> None:
        """End a live game as the recorded one ended."""
        self.games[id_] |= {"over": True, "result": self.whole["result"]}
        self._send(id_, "end", {"result": self.whole["result"]})
        self._send("", "end", {"game": id_})

    def restart(self, id_: str) -> None:
        """Lose all connections, and know a live game only as one that has no end."""
        self.games[id_] |= {"over": True, "result": None}
        for reader in list(self._readers):
            self._loop.call_soon_threadsafe(reader.cancel)

    def watched(self, id_: str) -> bool:
        """Return whether a reader receives a game's events; of all games if `id_` is empty."""
        return bool(self._streams.get(id_))

    def _send(self, stream: str, event: str, data: Json) -> None:
        text = f"event: {event}\ndata: {json.dumps(data)}\n\n"
        for queue in self._streams.get(stream, []):
            self._loop.call_soon_threadsafe(queue.put_nowait, text)

    @contextmanager
    def serving(self) -> Iterator["Console"]:
        """Serve on a free port of the loopback address."""
        started = threading.Event()
        thread = threading.Thread(target=self._run, args=[started], daemon=True)
        thread.start()
        assert started.wait(PATIENCE)
        yield self
        self._loop.call_soon_threadsafe(self._loop.stop)
        thread.join(PATIENCE)

    def _run(self, started: threading.Event) -> None:
        runner = web.AppRunner(self.app(), shutdown_timeout=0)
        self._loop.run_until_complete(runner.setup())
        site = web.TCPSite(runner, "127.0.0.1", 0)
        self._loop.run_until_complete(site.start())
        self.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
        started.set()
        self._loop.run_forever()
        for reader in list(self._readers):
            reader.cancel()
        self._loop.run_until_complete(runner.cleanup())
        self._loop.close()

    def app(self) -> web.Application:
        """Return the application of the pages and of the games' API."""
        app = web.Application()
        app.on_response_prepare.append(_add_policy)
        app.router.add_get("/api/overview", self._overview)
        app.router.add_get("/api/films", films.forms)
        app.router.add_get("/api/games", self._list)
        app.router.add_get("/api/results", self._results)
        app.router.add_post("/api/games/import", self._import)
        app.router.add_get("/api/games/{id}", self._game)
        app.router.add_get("/api/games/{id}/events", self._events)
        app.router.add_get("/api/events", self._events)
        self._extend(app)
        for name in ("game.js", "game.css"):
            app.router.add_get(f"/{name}", port.bundle_handler(name))
        app.router.add_static("/viewer/", viewer.FOLDER)
        app.router.add_static("/", PAGES)
        return app

    async def _overview(self, _: web.Request) -> web.Response:
        return web.json_response(self.overview)

    def _found(self, request: web.Request) -> list[Summary]:
        fields = {name: value for name, value in request.query.items() if name not in ("before", "limit")}
        return list(filter(Wanted(**fields).admits, map(_summary, reversed(self.games.values()))))

    async def _list(self, request: web.Request) -> web.Response:
        before, limit = request.query.get("before"), int(request.query.get("limit", 50))
        newest = self._found(request)
        place = [game.id for game in newest].index(before) + 1 if before else 0
        return json_reply({"games": newest[place : place + limit]})

    async def _results(self, request: web.Request) -> web.Response:
        results = Results()
        for game in self._found(request):
            results.add(game)
        return json_reply(results.as_json())

    async def _game(self, request: web.Request) -> web.Response:
        name = request.match_info["id"]
        found = next((game for each, game in self.games.items() if name in (each, short_id(each))), None)
        return error_reply(404, f"no such game: {name}") if found is None else json_reply(found)

    async def _import(self, request: web.Request) -> web.Response:
        address = (await request.json())["address"]
        if not address.endswith(self.whole["id"]):
            return error_reply(404, "arena.battlesnake.com has no game x")
        return json_reply({"game": self.whole["id"]})

    async def _events(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        queue: asyncio.Queue[str] = asyncio.Queue()
        streams = self._streams.setdefault(request.match_info.get("id", ""), [])
        streams.append(queue)
        reader = asyncio.current_task()
        assert reader is not None
        self._readers.add(reader)
        try:
            while True:
                await response.write((await queue.get()).encode())
        finally:
            streams.remove(queue)
            self._readers.discard(reader)


def _summary(game: Json) -> Summary:
    """Return a game as the API lists it."""
    listed: Json = {
        "settings": {},
        "started_at": None,
        "ended_at": None,
        "deaths": [],
        "idle_s": None if game["over"] else 0.0,
    } | game
    return msgspec.convert(listed | {"turns": len(game["turns"])}, Summary)


async def _add_policy(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.setdefault("Content-Security-Policy", POLICY)
    response.headers["X-Content-Type-Options"] = "nosniff"


OVERVIEW: Json = {
    "snakes": [
        {
            "path": "/",
            "url": "http://192.0.2.7:8000/",
            "color": "#1767c2",
            "head": "default",
            "tail": "default",
            "strategy": "crowd/hungry",
        },
        {
            "path": "/cautious",
            "url": "http://192.0.2.7:8000/cautious",
            "color": "#c2500a",
            "head": "safe",
            "tail": "bolt",
            "strategy": "",
        },
    ],
    "searchers": [
        {"address": "unix:/run/searcher.sock", "serving": True},
        {"address": "192.0.2.8:50051", "serving": True},
    ],
    "experiments": [
        {
            "name": "hunger",
            "arms": [
                {"name": "control", "strategy": "crowd/hungry", "share": 0.5},
                {"name": "greedy", "strategy": "crowd/greedy", "share": 0.5},
            ],
        }
    ],
    "counts": {"games_now": 1, "games_kept": 812, "lost_records": 0},
    "replay_servers": ["arena.battlesnake.com"],
}
