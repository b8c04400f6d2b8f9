"""The channels of all routes, with real servers behind them."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from gateway.bodies import decode
from gateway.searchers.client import Found
from gateway.searchers.plan import OWN, Limits, Plan
from gateway.searchers.pool import Searchers
from protos.battlesnake.search.v1 import search_pb2
from tests.gateway import scripted
from tests.gateway.scripted import ScriptedService, body

TURN = decode(json.dumps(body()).encode())
STAND_IN = (sys.executable, "-m", "tests.gateway.stand_in")
PATIENCE = 20.0


async def _search(searchers: Searchers, plan: Plan, soft: float = 0.3) -> Found:
    now = asyncio.get_running_loop().time()
    return await searchers.search(TURN, plan, now + soft, now + soft + 0.1)


async def test_plans_share_the_channel_of_a_target() -> None:
    """One target is one channel, whatever it is called by."""
    async with Searchers("127.0.0.1:1") as searchers:
        await searchers.open([OWN, "127.0.0.1:1", "127.0.0.1:2"])
        before = searchers[OWN]
        await searchers.open([OWN])
        assert searchers[OWN] is before is searchers["127.0.0.1:1"]
        assert searchers["127.0.0.1:2"] is not before


async def test_a_target_that_no_route_uses_is_closed_after_its_searches() -> None:
    """What is under way over a channel is answered before it goes; others stay."""
    slow, other = ScriptedService(scripted.one_depth_then_silence), ScriptedService(scripted.at_once)
    async with (
        scripted.searcher(slow) as one,
        scripted.searcher(other) as two,
        Searchers("") as searchers,
    ):
        await searchers.open([one, two])
        searching = asyncio.create_task(_search(searchers, Plan(searchers=(one,))))
        async with asyncio.timeout(PATIENCE):
            while not slow.requests:
                await asyncio.sleep(0.01)
        searchers.keep([two])
        with pytest.raises(KeyError):
            searchers[one]
        found = await searching
        assert found.result is not None and found.result.move == search_pb2.DIRECTION_RIGHT
        assert not found.failures
        assert (await _search(searchers, Plan(searchers=(two,)))).final


async def test_the_own_searcher_is_started_when_a_route_needs_it(tmp_path: Path) -> None:
    """While every route names a target, no searcher is started; one is as soon as a route names none."""
    started = tmp_path / "started"
    code = (
        f"import runpy; open({str(started)!r}, 'w');"
        "runpy.run_module('tests.gateway.stand_in', None, '__main__')"
    )
    async with Searchers("", [sys.executable, "-c", code]) as searchers:
        await searchers.open(["127.0.0.1:1"])
        await asyncio.sleep(0.2)
        assert not started.exists()
        await searchers.open([OWN])
        async with asyncio.timeout(PATIENCE):
            while not (await _search(searchers, Plan())).final:
                pass
    assert started.exists()


async def test_several_searchers_split_the_moves_of_the_position() -> None:
    """Root moves are those that a head can stand on, none twice; the plan's headers go to both."""
    services = [ScriptedService(scripted.at_once) for _ in range(2)]
    async with (
        scripted.searcher(services[0]) as one,
        scripted.searcher(services[1]) as two,
        Searchers("") as searchers,
    ):
        await searchers.open([one, two])
        assert (await _search(searchers, Plan("wide", "s/e", searchers=(one, two)))).final
    asked = [move for service in services for move in service.requests[0].limits.root_moves]
    assert len(asked) == len(set(asked)) >= 2
    assert all(service.headers[0]["x-strategy"] == "s/e" for service in services)


async def test_a_limit_of_time_shortens_the_search() -> None:
    """The plan's time is asked for where it is less than what the game leaves, and never more."""
    service = ScriptedService(scripted.at_once)
    async with scripted.searcher(service) as target, Searchers(target) as searchers:
        await searchers.open([OWN])
        await _search(searchers, Plan(limits=Limits(time=50)), soft=10)
        await _search(searchers, Plan(limits=Limits(time=60_000)), soft=0.5)
    asked = [request.limits.time.ToMilliseconds() for request in service.requests]
    assert asked[0] <= 50 and asked[1] <= 500


async def test_one_searcher_is_enough_to_be_ready() -> None:
    """Trouble is told when no searcher serves, and names them all."""
    async with scripted.searcher(ScriptedService(scripted.at_once)) as target, Searchers("") as searchers:
        await searchers.open(["127.0.0.1:1", "127.0.0.1:2"])
        trouble = await searchers.trouble()
        assert "127.0.0.1:1: UNAVAILABLE" in trouble and "127.0.0.1:2: UNAVAILABLE" in trouble
        await searchers.open([target])
        assert await searchers.trouble() == ""
