"""A gateway and real searchers behind one name, that come and go."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.gateway.commands import serving
from tests.gateway.scripted import body
from tests.support.names import Names, names
from tests.support.searchers import Process, searcher, seconds_used, until_idle
from tests.support.services import free_port

TIMEOUT = 150
"""Milliseconds for each move."""

MOVES = 40
"""Of which the load is measured, one after another, so that each search has all that it can use."""

UNEVEN = 0.2
"""Share of the load of one searcher by which that of another may differ."""

PLAYERS = 3

pytestmark = pytest.mark.usefixtures("compiled")


async def _move(client: aiohttp.ClientSession, game: str = "game") -> None:
    async with client.post("/move", json=body(id=game, timeout=TIMEOUT)) as answer:
        assert answer.status == 200
        assert json.loads(await answer.read())["move"] in ("up", "down", "left", "right")


async def _loads(client: aiohttp.ClientSession, searchers: list[Process]) -> list[float]:
    """What each searcher computes for some moves, in seconds."""
    for each in searchers:
        await until_idle(each)
    before = [seconds_used(each) for each in searchers]
    for _ in range(MOVES):
        await _move(client)
    return [seconds_used(each) - start for each, start in zip(searchers, before, strict=True)]


def _is_shared(loads: list[float]) -> bool:
    return min(loads) >= (1 - UNEVEN) * max(loads) > 0


async def _sources(client: aiohttp.ClientSession) -> Counter[str]:
    """How many moves came from where."""
    async with client.get("/metrics") as answer:
        families = text_string_to_metric_families(await answer.text())
        samples = [sample for family in families for sample in family.samples]
    moves = [sample for sample in samples if sample.name == "gateway_moves_total"]
    return Counter({sample.labels["source"]: int(sample.value) for sample in moves})


@asynccontextmanager
async def _played(client: aiohttp.ClientSession) -> AsyncIterator[None]:
    """Games go on beside the block, move by move; a move that is not answered well fails it."""
    ended = False

    async def play(game: str) -> None:
        while not ended:
            await _move(client, game)

    players = [asyncio.create_task(play(f"game {number}")) for number in range(PLAYERS)]
    try:
        yield
    finally:
        ended = True
        await asyncio.gather(*players)


async def test_searchers_share_the_load_and_replace_one_another() -> None:
    """Two take the same; one is killed and another started: each move is searched, and two share again."""
    port = free_port()
    async with AsyncExitStack() as stack, names() as (server, target):
        one, two = [await stack.enter_async_context(searcher(f"127.0.0.{n}:{port}")) for n in (1, 2)]
        server.addresses = ("127.0.0.1", "127.0.0.2")
        _, client = await stack.enter_async_context(serving(f"{target}:{port}"))
        assert _is_shared(await _loads(client, [one, two]))
        async with _played(client):
            await asyncio.sleep(0.5)
            one.kill()
            await one.wait()
            server.addresses = ("127.0.0.2", "127.0.0.3")
            three = await stack.enter_async_context(searcher(f"127.0.0.3:{port}"))
            await asyncio.sleep(1.5)
        assert _is_shared(await _loads(client, [two, three]))
        assert (await _sources(client))["reflex"] == 0


async def _share_of_a_new_one(server: Names, target: str, *options: str) -> float:
    """Which share of the load a searcher gets that comes when a gateway already has one."""
    port = free_port()
    async with AsyncExitStack() as stack:
        old = await stack.enter_async_context(searcher(f"127.0.0.1:{port}", *options))
        server.addresses = ("127.0.0.1",)
        _, client = await stack.enter_async_context(serving(f"{target}:{port}"))
        new = await stack.enter_async_context(searcher(f"127.0.0.2:{port}", *options))
        server.addresses = ("127.0.0.1", "127.0.0.2")
        loads = await _loads(client, [old, new])
        return loads[1] / sum(loads)


async def test_a_new_searcher_gets_work_where_connections_age() -> None:
    """Without an age a gateway that has its connection never looks for other searchers."""
    async with names() as (server, target):
        assert await _share_of_a_new_one(server, target, "--max-connection-age", "1") > 0.2
        assert await _share_of_a_new_one(server, target) < 0.1
