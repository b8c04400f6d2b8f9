"""The pool of clients, with real servers."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from battlesnake_search import channels
from battlesnake_search import searcher_client as client
from battlesnake_search.children.service import Service
from battlesnake_search.contract import search_pb2
from battlesnake_search.plan import OWN, Limits, Plan
from battlesnake_search.reader import decode
from battlesnake_search.searcher_client import SearchReply
from gateway.searchers.pool import SearcherPool
from tests.battlesnake_search.samples import deadlines_in
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import ScriptedService, body

TURN = decode(json.dumps(body()).encode())
SEARCHER_PROCESS = (sys.executable, "-m", "tests.gateway.searcher_process")
PATIENCE = 20.0


async def _search(pool: SearcherPool, plan: Plan, search: float = 0.3) -> SearchReply:
    return await pool.search(TURN, plan, deadlines_in(search, search + 0.1))


async def test_plans_share_the_channel_of_a_target() -> None:
    """A target has one channel, also if it is the gateway's own and named too."""
    async with SearcherPool("127.0.0.1:1") as pool:
        await pool.open([OWN, "127.0.0.1:1", "127.0.0.1:2"])
        before = pool[OWN]
        await pool.open([OWN])
        assert pool[OWN] is before is pool["127.0.0.1:1"]
        assert pool["127.0.0.1:2"] is not before


async def test_a_target_that_no_route_uses_is_closed_after_its_searches() -> None:
    """Searches in progress are answered before their channel closes; other channels stay open."""
    slow, other = (
        ScriptedService(scripted_searcher.one_depth_then_silence),
        ScriptedService(scripted_searcher.at_once),
    )
    async with (
        scripted_searcher.searcher(slow) as one,
        scripted_searcher.searcher(other) as two,
        SearcherPool("") as pool,
    ):
        await pool.open([one, two])
        searching = asyncio.create_task(_search(pool, Plan(searchers=(one,))))
        async with asyncio.timeout(PATIENCE):
            while not slow.requests:
                await asyncio.sleep(0.01)
        pool.keep([two])
        with pytest.raises(KeyError):
            pool[one]
        reply = await searching
        assert reply.result is not None and reply.result.move == search_pb2.DIRECTION_RIGHT
        assert not reply.failures
        assert (await _search(pool, Plan(searchers=(two,)))).final


async def test_the_embedded_searcher_is_started_when_a_route_needs_it(tmp_path: Path) -> None:
    """The embedded searcher is started as soon as a route names no target, and not before."""
    started = tmp_path / "started"
    code = (
        f"import runpy; open({str(started)!r}, 'w');"
        "runpy.run_module('tests.gateway.searcher_process', None, '__main__')"
    )
    async with SearcherPool("", [sys.executable, "-c", code]) as pool:
        await pool.open(["127.0.0.1:1"])
        await asyncio.sleep(0.2)
        assert not started.exists()
        await pool.open([OWN])
        async with asyncio.timeout(PATIENCE):
            while not (await _search(pool, Plan())).final:
                pass
    assert started.exists()


async def test_a_waiting_search_begins_as_soon_as_the_embedded_searcher_listens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither gRPC's pause between two connections nor ours between two calls delays the first search."""
    minute = 60_000
    backoffs = [(f"grpc.{name}_reconnect_backoff_ms", minute) for name in ("initial", "max")]
    monkeypatch.setattr(channels, "_UNIX_OPTIONS", [*channels._UNIX_OPTIONS, *backoffs])
    monkeypatch.setattr(client, "_FIRST_BACKOFF", PATIENCE)
    async with SearcherPool("", SEARCHER_PROCESS) as pool:
        await pool.open([OWN])
        now = asyncio.get_running_loop().time
        began = now()
        reply = await _search(pool, Plan(), search=PATIENCE)
        assert reply.final and reply.failures
        assert now() - began < PATIENCE / 2


async def test_a_searcher_that_runs_already_is_used() -> None:
    """The first embedded searcher is the given one; when no route needs it any more, it ends."""
    service = Service(SEARCHER_PROCESS)
    service.start()
    async with SearcherPool("", ["/missing"], started=service) as pool:
        await pool.open([OWN, "127.0.0.1:1"])
        assert pool[OWN].target == service.target
        assert (await _search(pool, Plan(), search=PATIENCE)).final
        pool.keep(["127.0.0.1:1"])
        async with asyncio.timeout(PATIENCE):
            while service.socket.parent.exists():
                await asyncio.sleep(0.02)
    assert service.pid is None


async def test_a_successor_takes_over_between_two_searches() -> None:
    """A search in progress ends at the former searcher, whose process ends after it."""
    async with SearcherPool("", SEARCHER_PROCESS) as pool:
        await pool.open([OWN])
        former = (await _search(pool, Plan(), search=PATIENCE)).result
        socket = Path(pool[OWN].target.removeprefix("unix:"))
        async with pool.successor() as successor:
            assert (await _search(pool, Plan(), search=PATIENCE)).result == former
            await successor.ready()
            pool.hand_over()
        assert pool[OWN] is successor and pool.is_own(successor.target)
        latter = (await _search(pool, Plan(), search=PATIENCE)).result
        assert former and latter and latter.nodes != former.nodes
        async with asyncio.timeout(PATIENCE):
            while socket.parent.exists():
                await asyncio.sleep(0.02)
        assert (await _search(pool, Plan(), search=PATIENCE)).result == latter


async def test_several_searchers_split_the_moves_of_the_position() -> None:
    """Each survivable root move goes to one searcher; the plan's headers go to both."""
    services = [ScriptedService(scripted_searcher.at_once) for _ in range(2)]
    async with (
        scripted_searcher.searcher(services[0]) as one,
        scripted_searcher.searcher(services[1]) as two,
        SearcherPool("") as pool,
    ):
        await pool.open([one, two])
        assert (await _search(pool, Plan("wide", "s/e", searchers=(one, two)))).final
    asked = [move for service in services for move in service.requests[0].limits.root_moves]
    assert len(asked) == len(set(asked)) >= 2
    assert all(service.headers[0]["x-strategy"] == "s/e" for service in services)


async def test_a_time_limit_shortens_the_search() -> None:
    """The plan's time limit applies where it is shorter than the game's."""
    service = ScriptedService(scripted_searcher.at_once)
    async with scripted_searcher.searcher(service) as target, SearcherPool(target) as pool:
        await pool.open([OWN])
        await _search(pool, Plan(limits=Limits(time=50)), search=10)
        await _search(pool, Plan(limits=Limits(time=60_000)), search=0.5)
    asked = [request.limits.time.ToMilliseconds() for request in service.requests]
    assert asked[0] <= 50 and asked[1] <= 500


async def test_the_troubles_are_those_of_each_searcher() -> None:
    """Each searcher's address has its trouble, empty if it serves."""
    async with (
        scripted_searcher.searcher(ScriptedService(scripted_searcher.at_once)) as target,
        SearcherPool("") as pool,
    ):
        await pool.open(["127.0.0.1:1", target])
        troubles = await pool.troubles()
        assert troubles.keys() == {"127.0.0.1:1", target} and troubles[target] == ""
        assert "127.0.0.1:1: UNAVAILABLE" in troubles["127.0.0.1:1"]
