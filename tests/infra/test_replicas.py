"""A gateway with real searchers behind one DNS name, which come and go."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import aiohttp
import pytest

from tests.gateway.gateway_process import serving
from tests.gateway.scripted_searcher import body
from tests.support.name_server import name_server
from tests.support.relay import Relay, relay
from tests.support.searchers import Process, searcher
from tests.support.services import free_port

MOVES = 200
"""The moves over which the load is measured; each takes milliseconds."""

ROUTES = """
[[snakes]]
path = "/quick"
arms = [{ name = "quick", limits = { depth = 2 } }]
"""

UNEVEN = 0.2
"""The share by which the loads of two searchers may differ."""

PLAYERS = 3

RESOLVED_WITHIN = 2.5
"""Seconds after which a gateway has resolved the name again: the age of a connection and a margin."""

pytestmark = pytest.mark.usefixtures("compiled")


_TURNS = itertools.count()


async def _move(client: aiohttp.ClientSession, path: str, game: str = "game") -> None:
    async with client.post(path, json=body(id=game) | {"turn": next(_TURNS)}) as answer:
        assert answer.status == 200
        assert json.loads(await answer.read())["move"] in ("up", "down", "left", "right")


async def _loads(client: aiohttp.ClientSession, relays: list[Relay]) -> list[int]:
    """Return the bytes that each searcher receives for MOVES moves."""
    before = [each.sent for each in relays]
    for _ in range(MOVES):
        await _move(client, "/quick/move")
    return [each.sent - start for each, start in zip(relays, before, strict=True)]


def _is_balanced(loads: list[int]) -> bool:
    return min(loads) >= (1 - UNEVEN) * max(loads) > 0


def _reflexes(log: Path) -> list[str]:
    """Return the log lines of moves that are reflexes."""
    lines = [line for line in log.read_text().splitlines() if '"move"' in line]
    assert len(lines) > 2 * MOVES
    return [line for line in lines if '"source": "reflex"' in line]


@asynccontextmanager
async def _games_in_background(client: aiohttp.ClientSession) -> AsyncIterator[None]:
    """Play games in the background until the block ends; an invalid response fails the block."""
    ended = False

    async def play(game: str) -> None:
        while not ended:
            await _move(client, "/move", game)

    players = [asyncio.create_task(play(f"game {number}")) for number in range(PLAYERS)]
    try:
        yield
    finally:
        ended = True
        await asyncio.gather(*players)


@asynccontextmanager
async def _searcher(host: str, port: int) -> AsyncIterator[tuple[Process, Relay]]:
    """Yield a serving searcher behind its own relay address."""
    with TemporaryDirectory() as folder:
        path = f"{folder}/searcher.sock"
        # The end of a connection makes the gateway resolve the name again, although its searchers are
        # healthy.
        age = ("--max-connection-age", "1")
        async with searcher(f"unix:{path}", *age) as process, relay(host, port, path) as asked:
            yield process, asked


async def test_searchers_come_and_go(tmp_path: Path) -> None:
    """Searchers share the load, new ones included; a killed searcher costs no move and is replaced."""
    port = free_port()
    async with AsyncExitStack() as stack, name_server() as (server, target):
        first, one = await stack.enter_async_context(_searcher("127.0.0.1", port))
        server.addresses = ("127.0.0.1",)
        (tmp_path / "routes.toml").write_text(ROUTES)
        files = {"log": str(tmp_path / "log"), "ROUTES_FILE": str(tmp_path / "routes.toml")}
        gateway = serving(f"{target}:{port}", **files)
        _, client = await stack.enter_async_context(gateway)
        _, two = await stack.enter_async_context(_searcher("127.0.0.2", port))
        server.addresses = ("127.0.0.1", "127.0.0.2")
        await asyncio.sleep(RESOLVED_WITHIN)
        assert _is_balanced(await _loads(client, [one, two]))
        async with _games_in_background(client):
            await asyncio.sleep(0.5)
            first.kill()
            await first.wait()
            _, three = await stack.enter_async_context(_searcher("127.0.0.3", port))
            # The name resolves to serving searchers only, as the DNS names of Kubernetes do.
            server.addresses = ("127.0.0.2", "127.0.0.3")
            await asyncio.sleep(RESOLVED_WITHIN)
        assert _is_balanced(await _loads(client, [two, three]))
        assert _reflexes(tmp_path / "log") == []
