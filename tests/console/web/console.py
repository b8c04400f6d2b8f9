"""A gateway with its admin port, and clients for both."""

import asyncio
import json
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp.test_utils import TestClient, TestServer
from grpc_health.v1 import health_pb2

from battlesnake_search.common.access import TokenFile
from battlesnake_search.ports.admin_address import AdminAddress
from console.store.database import NO_DATABASE, OutcomesDatabase
from console.store.records import DEFAULT_BOUNDS, Bounds
from gateway import app
from gateway.routes.looks import Looks
from gateway.settings import Settings
from tests.gateway import scripted_searcher
from tests.gateway.listing_searcher import ListingService
from tests.gateway.scripted_searcher import (
    GameScript,
    Gateway,
    Script,
    ScriptedGames,
    ScriptedService,
    body,
)
from tests.support.services import free_port

Json = dict[str, Any]

_PATIENCE = 10.0
"""Seconds, a generous bound."""

Event = tuple[str, Json]
"""The name and the data of an event."""

SERVING = health_pb2.HealthCheckResponse.SERVING


async def events_of(answer: aiohttp.ClientResponse, last: str = "") -> list[Event]:
    """Return the events of an answer, up to the first one with a name if there is one."""
    assert (answer.status, answer.content_type) == (200, "text/event-stream")
    events: list[Event] = []
    name = ""
    async for line in answer.content:
        text = line.decode().rstrip("\n")
        if text.startswith("event: "):
            name = text.removeprefix("event: ")
        elif text.startswith("data: "):
            events.append((name, json.loads(text.removeprefix("data: "))))
            if name == last:
                break
    return events


@dataclass(frozen=True)
class Console:
    """Clients of the public port and of the admin port."""

    public: Gateway
    admin: aiohttp.ClientSession
    url: str

    async def get(self, path: str, status: int = 200, **headers: str) -> Any:
        """Return the JSON at a path of the admin port."""
        async with self.admin.get(path, headers=headers) as answer:
            assert answer.status == status, await answer.text()
            return await answer.json()

    async def game(self, game: str) -> Any:
        """Wait for a game and return it. The console knows a game after its first answer."""
        async with asyncio.timeout(_PATIENCE):
            while True:
                async with self.admin.get(f"/api/games/{game}") as answer:
                    if answer.status == 200:
                        return await answer.json()
                await asyncio.sleep(0.01)

    async def post(self, path: str, name: str, game: str, **changes: object) -> None:
        """Send a recorded request of a game."""
        sent = body(name, id=game) | changes
        async with self.public.post(path, json=sent) as answer:
            assert answer.status == 200

    async def play(self, game: str, turns: range, ends: bool = True) -> None:
        """Play turns of a game whose board does not change, with its start if they begin with turn 0."""
        if turns.start == 0:
            await self.post("/start", "standard-start-0", game)
        for turn in turns:
            await self.post("/move", "standard-start-0", game, turn=turn)
        if ends:
            await self.post("/end", "standard-end-86", game, you=body("standard-start-0")["you"])


@asynccontextmanager
async def running(
    script: Script = scripted_searcher.at_once,
    *,
    analyses: GameScript | None = None,
    host: str = "127.0.0.1",
    public_port: int = 8000,
    routes: Path | None = None,
    outcomes: OutcomesDatabase = NO_DATABASE,
    games: Bounds | None = DEFAULT_BOUNDS,
    status: int = SERVING,
    tokens: TokenFile | None = None,
    looks: Looks | None = None,
    public_metrics: bool = False,
    replay_servers: Collection[str] = (),
    reviews: bool = True,
) -> AsyncIterator[Console]:
    """Serve a gateway with a console, in front of a searcher that follows the script."""
    port = free_port()
    address = AdminAddress(host, port, public_port)
    scripted = ScriptedGames(analyses) if analyses else None
    async with scripted_searcher.searcher(ScriptedService(script), status=status, games=scripted) as target:
        built = app.build(
            Settings(
                searcher=target,
                strategy="paranoid/area",
                routes=routes,
                outcomes=outcomes,
                games=games,
                admin=address,
                admin_tokens=tokens,
                looks=looks or Looks(),
                public_metrics=public_metrics,
                replay_servers=tuple(replay_servers),
                reviews=reviews,
            )
        )
        url = f"http://127.0.0.1:{port}"
        async with TestClient(TestServer(built)) as public, aiohttp.ClientSession(url) as admin:
            yield Console(public, admin, url)


@asynccontextmanager
async def running_with_faulty_evaluator(folder: Path) -> AsyncIterator[Console]:
    """Run a gateway whose only snake has the evaluator `raising`, which its searcher has found faulty."""
    service = ListingService("area")
    service.listed.faulty_evaluators.add(name="raising", reason="ValueError: no (raising.py:11)")
    async with running_before(service, "paranoid/raising", folder) as console:
        yield console


@asynccontextmanager
async def running_before(service: ScriptedService, strategy: str, folder: Path) -> AsyncIterator[Console]:
    """Run a gateway whose only snake plays a strategy with this searcher. The folder gets its routes."""
    routes = folder / "routes.toml"
    async with scripted_searcher.searcher(service) as target:
        arm = f'{{ name = "a", strategy = "{strategy}", searcher = "{target}" }}'
        routes.write_text(f'[[snakes]]\npath = "/"\narms = [{arm}]')
        async with running(routes=routes) as console:
            yield console
