"""Asking a searcher over real gRPC."""

import asyncio
from collections.abc import AsyncIterator

import grpc
import pytest

from gateway.searchers.client import Found, Searcher
from protos.battlesnake.search.v1 import search_pb2
from tests.gateway import scripted
from tests.gateway.scripted import Context, Script, ScriptedService

SLOW = 2.0
"""Seconds; beyond what a busy machine adds, and far below the minute that some searches here would take."""


async def _ask(target: str, soft: float = 0.3, hard: float = 0.4) -> tuple[Found, float]:
    """What came of asking, and the seconds that it took."""
    now = asyncio.get_running_loop().time
    async with Searcher(target) as searcher:
        started = now()
        found = await searcher.search(search_pb2.StreamSearchRequest(), started + soft, started + hard)
        return found, now() - started


async def _ask_scripted(script: Script, soft: float = 0.3) -> tuple[Found, float, ScriptedService]:
    service = ScriptedService(script)
    async with scripted.searcher(service) as target:
        found, seconds = await _ask(target, soft, soft + 0.1)
    return found, seconds, service


async def test_the_final_answer_is_returned_at_once() -> None:
    """A search that ends early is not waited for any longer."""
    found, seconds, _ = await _ask_scripted(scripted.at_once, soft=10)
    assert found.result is not None
    assert (found.result.move, found.final, found.failures) == (search_pb2.DIRECTION_UP, True, [])
    assert seconds < SLOW


async def test_the_time_limit_is_what_is_left() -> None:
    """The searcher is told the time until the soft deadline."""
    _, _, service = await _ask_scripted(scripted.at_once)
    assert 0.2 < service.requests[0].limits.time.ToMicroseconds() / 1e6 <= 0.3


async def test_the_best_so_far_is_returned_at_the_deadline() -> None:
    """A searcher that falls silent after a depth costs the rest, not that depth."""
    found, seconds, _ = await _ask_scripted(scripted.one_depth_then_silence)
    assert found.result is not None
    assert (found.result.move, found.final) == (search_pb2.DIRECTION_RIGHT, False)
    assert 0.3 <= seconds < SLOW


async def test_the_best_so_far_survives_a_crash() -> None:
    """An error in mid-search leaves the depth that had arrived, and is not asked for again."""
    found, seconds, service = await _ask_scripted(scripted.one_depth_then_crash, soft=10)
    assert found.result is not None and found.result.move == search_pb2.DIRECTION_RIGHT
    assert [failure.code for failure in found.failures] == [grpc.StatusCode.INTERNAL]
    assert len(service.requests) == 1 and seconds < SLOW


async def test_a_searcher_that_never_answers_is_left_at_the_deadline() -> None:
    """Without any answer there is no result, in time."""
    found, seconds, _ = await _ask_scripted(scripted.never)
    assert found.result is None and not found.final
    assert 0.3 <= seconds < SLOW


@pytest.mark.parametrize("code", [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED])
async def test_a_refused_call_is_made_again_with_the_time_that_is_left(code: grpc.StatusCode) -> None:
    """Refusals that may pass are tried again, each time with a shorter limit."""
    found, _, service = await _ask_scripted(scripted.refusing(code, times=2))
    limits = [request.limits.time.ToMicroseconds() for request in service.requests]
    assert found.final and [failure.code for failure in found.failures] == [code, code]
    assert len(limits) == 3 and limits == sorted(limits, reverse=True) and len(set(limits)) == 3


async def test_a_wrong_request_is_made_once() -> None:
    """A refusal that can't pass is not tried again."""
    script = scripted.refusing(grpc.StatusCode.INVALID_ARGUMENT, times=9)
    found, seconds, service = await _ask_scripted(script, soft=10)
    assert [failure.details for failure in found.failures] == ["not now"]
    assert len(service.requests) == 1 and seconds < SLOW


async def test_a_shallower_second_attempt_does_not_replace_the_deeper_first() -> None:
    """After a break, the deepest result of all attempts is kept."""
    depths = iter([5, 2])

    async def script(
        _request: search_pb2.StreamSearchRequest, context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        depth = next(depths)
        yield scripted.response(search_pb2.DIRECTION_UP, depth)
        if depth == 5:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "gone")

    found, _, service = await _ask_scripted(script)
    assert found.result is not None and found.result.depth == 5
    assert len(service.requests) == 2


async def test_nobody_there_is_no_error() -> None:
    """A target where nothing listens gives no result, in time."""
    found, seconds = await _ask("127.0.0.1:1")
    assert found.result is None and found.failures
    assert seconds < SLOW


async def test_no_time_means_no_call() -> None:
    """With less time than a searcher accepts, none is asked."""
    service = ScriptedService(scripted.at_once)
    async with scripted.searcher(service) as target:
        found, _ = await _ask(target, soft=0.001, hard=0.002)
    assert found == Found() and service.requests == []


async def test_a_cancelled_search_is_cancelled_at_the_searcher() -> None:
    """At the deadline the searcher learns that nobody waits any more."""
    ended = asyncio.Event()

    async def script(
        request: search_pb2.StreamSearchRequest, context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        try:
            async for answer in scripted.never(request, context):
                yield answer
        finally:
            ended.set()

    async with scripted.searcher(ScriptedService(script)) as target:
        await _ask(target, 0.1, 0.15)
        await asyncio.wait_for(ended.wait(), 5)
    assert ended.is_set()


async def test_a_call_carries_its_headers() -> None:
    """Headers that go with a search reach the searcher."""
    service = ScriptedService(scripted.at_once)
    async with scripted.searcher(service) as target, Searcher(target) as searcher:
        now = asyncio.get_running_loop().time()
        headers = (("x-strategy", "paranoid/area"), ("x-arm", "blue"))
        await searcher.search(search_pb2.StreamSearchRequest(), now + 0.3, now + 0.4, headers)
    assert service.headers[0].items() >= dict(headers).items()


async def test_a_retired_channel_closes_after_its_last_search() -> None:
    """Searches under way are answered, tries again included; then the channel is closed."""
    script = scripted.refusing(grpc.StatusCode.UNAVAILABLE, times=3)
    async with scripted.searcher(ScriptedService(script)) as target, Searcher(target) as searcher:
        now = asyncio.get_running_loop().time()
        searching = asyncio.create_task(searcher.search(search_pb2.StreamSearchRequest(), now + 5, now + 5))
        await asyncio.sleep(0.02)
        await asyncio.wait_for(searcher.retire(), 5)
        assert searching.done() and (await searching).final
        with pytest.raises(grpc.aio.UsageError):
            await searcher.search(search_pb2.StreamSearchRequest(), now + 60, now + 60)


async def test_calls_are_spread_over_all_addresses_of_a_name() -> None:
    """With several searchers behind a target, each gets its share of the calls."""
    services = [ScriptedService(scripted.at_once) for _ in range(2)]
    async with (
        scripted.searcher(services[0]) as one,
        scripted.searcher(services[1]) as two,
        Searcher(f"ipv4:{one},{two}") as searcher,
    ):
        for _ in range(20):
            now = asyncio.get_running_loop().time()
            await searcher.search(search_pb2.StreamSearchRequest(), now + 0.3, now + 0.4)
    assert all(service.requests for service in services)
    assert sum(len(service.requests) for service in services) == 20
