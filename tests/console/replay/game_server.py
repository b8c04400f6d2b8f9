"""An engine-compatible server that sends games by REST, and others that send something else."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer

Json = dict[str, Any]

_GAME = Path(__file__).parents[3] / "tests" / "fixtures" / "games" / "platform-frames.json.gz"


def platform_game() -> Json:
    """Return a game of four in the platform's form: turns 0 to 74, and turn 84, on which it ended."""
    game: Json = json.loads(gzip.decompress(_GAME.read_bytes()))
    return game


def walk(turns: int, **facts: object) -> Json:
    """Return a game in which a single snake walks along a row for a number of turns."""
    return {
        "Game": {"ID": "walk", "Status": "complete", "Width": 7, "Height": 7} | facts,
        "Frames": [
            {"Turn": turn, "Snakes": [_walker(turn)], "Food": [], "Hazards": []} for turn in range(turns)
        ],
    }


def _walker(turn: int) -> Json:
    body = [{"X": (turn - part) % 7, "Y": 3} for part in range(3)]
    return {"ID": "a", "Name": "one", "Body": body, "Health": 90, "Death": None}


def first_turns(game: Json, turns: int) -> Json:
    """Return a game while it is played."""
    begun = deepcopy(game)
    begun["Game"]["Status"] = "running"
    del begun["Frames"][turns:]
    return begun


def in_small_letters(value: Any) -> Any:
    """Return JSON with its names in the other spelling."""
    if isinstance(value, list):
        return [in_small_letters(each) for each in value]
    if isinstance(value, dict):
        return {name.lower(): in_small_letters(each) for name, each in value.items()}
    return value


@dataclass
class GameServer:
    """Sends games by their ids: below /api/games, or below another `root` alone.

    The games of some ids are no games: html, error, endless, slow and elsewhere.
    """

    games: dict[str, Json]
    root: str = "/api/games"
    asked: list[str] = field(default_factory=list)
    url: str = ""
    released: asyncio.Event = field(default_factory=asyncio.Event)
    """Ends slow answers."""

    def app(self) -> web.Application:
        """Return the application."""
        app = web.Application()
        app.router.add_get(self.root + "/{id}", self._facts)
        app.router.add_get(self.root + "/{id}/frames", self._frames)
        return app

    async def _facts(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request.path_qs)
        name = request.match_info["id"]
        if name == "slow":
            return await self._slow(request)
        if strange := _STRANGE.get(name):
            return await strange(request)
        if name not in self.games:
            raise web.HTTPNotFound
        return web.json_response(
            {key: value for key, value in self.games[name].items() if key.lower() == "game"}
        )

    async def _slow(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        while not self.released.is_set():
            await response.write(b" ")
            await asyncio.sleep(0.02)
        return response

    async def _frames(self, request: web.Request) -> web.Response:
        self.asked.append(request.path_qs)
        game = self.games[request.match_info["id"]]
        [name] = [key for key in game if key.lower() == "frames"]
        offset, limit = (int(request.query[key]) for key in ("offset", "limit"))
        page = game[name][offset : offset + limit]
        return web.json_response({"Count" if name == "Frames" else "count": len(page), name: page})


async def _html(_: web.Request) -> web.Response:
    return web.Response(text="<!doctype html>", content_type="text/html")


async def _error(_: web.Request) -> web.Response:
    raise web.HTTPInternalServerError


async def _endless(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    while True:
        await response.write(b" " * 2**20)


async def _elsewhere(_: web.Request) -> web.Response:
    raise web.HTTPFound("http://127.0.0.1:1/api/games/walk")


_STRANGE = {
    "html": _html,
    "error": _error,
    "endless": _endless,
    "elsewhere": _elsewhere,
}


@asynccontextmanager
async def serving(*games: Json, root: str = "/api/games") -> AsyncIterator[GameServer]:
    """Serve games on the loopback address."""
    server = GameServer({_id_of(game): game for game in games}, root)
    async with TestServer(server.app()) as running:
        server.url = str(running.make_url("")).rstrip("/")
        yield server


def _id_of(game: Json) -> str:
    return str(game["Game"]["ID"] if "Game" in game else game["game"]["id"])
