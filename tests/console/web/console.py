"""A gateway and its console in one process, and clients for both."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import aiohttp
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
from grpc_health.v1 import health_pb2
from prometheus_client import CollectorRegistry

from battlesnake_search.common.access import TokenFile
from battlesnake_search.contract import record_pb2_grpc
from battlesnake_search.ports.admin_address import AdminAddress
from console import app
from console.searchers import Searchers
from console.settings import Settings as ConsoleSettings
from gateway import app as gateway_app
from gateway import webhooks
from gateway.routes.looks import Looks
from gateway.settings import Settings
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import (
    GameScript,
    Gateway,
    Script,
    ScriptedGames,
    ScriptedService,
    body,
)
from tests.support import grpc_server
from tests.support.services import free_port

Json = dict[str, Any]

Stored = Callable[[], Awaitable[None]]

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
    stored: Stored
    """Waits until the console has stored all events of the gateway."""

    async def get(self, path: str, status: int = 200, **headers: str) -> Any:
        """Return the JSON at a path of the admin port."""
        async with self.admin.get(path, headers=headers) as answer:
            assert answer.status == status, await answer.text()
            return await answer.json()

    async def game(self, game: str) -> Any:
        """Wait until a game is stored, and return it."""
        await self.stored()
        return await self.get(f"/api/games/{game}")

    async def post(self, path: str, name: str, game: str, **changes: object) -> None:
        """Send a recorded request of a game."""
        sent = body(name, id=game) | changes
        async with self.public.post(path, json=sent) as answer:
            assert answer.status == 200

    async def play(self, game: str, turns: range, ends: bool = True) -> None:
        """Play turns of a game whose board does not change, and wait until they are stored.

        The game starts if they begin with turn 0.
        """
        if turns.start == 0:
            await self.post("/start", "standard-start-0", game)
        for turn in turns:
            await self.post("/move", "standard-start-0", game, turn=turn)
        if ends:
            # An engine counts a turn more at the end.
            last = max(turns.stop + 1, body("standard-end-86")["turn"])
            await self.post("/end", "standard-end-86", game, you=body("standard-start-0")["you"], turn=last)
        await self.stored()


@asynccontextmanager
async def running(
    script: Script = scripted_searcher.at_once,
    *,
    analyses: GameScript | None = None,
    host: str = "127.0.0.1",
    public_port: int = 8000,
    routes: Path | None = None,
    status: int = SERVING,
    tokens: TokenFile | None = None,
    looks: Looks | None = None,
    public_metrics: bool = False,
    **settings: Any,
) -> AsyncIterator[Console]:
    """Serve a gateway and its console, in front of a searcher that follows the script.

    `settings` are fields of the console's settings. By default it reads games of no server.
    """
    port = free_port()
    scripted = ScriptedGames(analyses) if analyses else None
    chosen = ConsoleSettings(
        **{"replay_servers": ()} | settings, admin=AdminAddress(host, port), admin_tokens=tokens
    )
    async with (
        scripted_searcher.searcher(ScriptedService(script), status=status, games=scripted) as target,
        recording(chosen) as (recorder, address),
    ):
        played = Settings(
            searcher=target,
            strategy="paranoid/area",
            port=public_port,
            routes=routes,
            console=address,
            admin_tokens=tokens,
            looks=looks or Looks(),
            public_metrics=public_metrics,
        )
        url = f"http://127.0.0.1:{port}"
        async with playing(played) as (public, stored), aiohttp.ClientSession(url) as admin:
            async with asyncio.timeout(_PATIENCE):
                while not await recorder.gateways.statuses():
                    await asyncio.sleep(0.01)
            yield Console(public, admin, url, stored)


@asynccontextmanager
async def recording(settings: ConsoleSettings) -> AsyncIterator[tuple[app.Console, str]]:
    """Serve a console alone; yield it with the address for events of gateways."""
    with TemporaryDirectory() as folder:
        address = f"unix:{folder}/console.sock"
        async with Searchers() as searchers, app.Console(settings, searchers, CollectorRegistry()) as console:
            server = grpc_server.server()
            record_pb2_grpc.add_RecordServiceServicer_to_server(console.service, server)
            server.add_insecure_port(address)
            await server.start()
            try:
                yield console, address
            finally:
                await server.stop(0)


async def until_stored(built: web.Application, patience: float = _PATIENCE) -> None:
    """Wait until the console has stored all events of a gateway."""
    outbox = built[webhooks.LINK]._outbox
    async with asyncio.timeout(patience):
        # A gateway publishes the event of a move after its answer.
        await asyncio.sleep(0.01)
        built[webhooks.EVENTS].flush()
        while outbox.acknowledged < outbox.last:
            await asyncio.sleep(0.01)


@asynccontextmanager
async def playing(settings: Settings) -> AsyncIterator[tuple[Gateway, Stored]]:
    """Serve a gateway with an outbox of its own.

    Yield a client, and a function that waits until the console has stored all events.
    """
    built = gateway_app.build(settings)

    with TemporaryDirectory() as folder:
        with patch("gateway.outbox.outbox.default_folder", lambda: Path(folder)):
            public = TestClient(TestServer(built))
            await public.start_server()
        try:
            yield public, partial(until_stored, built)
        finally:
            await public.close()
