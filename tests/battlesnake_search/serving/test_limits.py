"""The limits of a token, as its callers see them."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import pytest

from battlesnake_search.common.access import TokenFile
from battlesnake_search.contract import search_pb2 as pb
from battlesnake_search.contract import search_pb2_grpc
from battlesnake_search.serving.callers import MOST_OPEN_CALLS, Callers, Usage
from battlesnake_search.serving.port import PortSettings
from battlesnake_search.serving.refusals import ExceededLimitError
from searcher.serving.program import SEARCHER
from tests.battlesnake_search.serving.guarded import (
    OK,
    PATIENCE,
    Tokens,
    bearing,
    reply_of,
    search,
    serving,
)
from tests.searcher.fakes import FakeStrategies
from tests.searcher.requests import search_request, stream_request

SEARCH = "battlesnake.search.v1.SearchService/Search"
RESOURCE_EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED


@pytest.fixture
def tokens(tmp_path: Path) -> Tokens:
    """An empty token file."""
    return Tokens(tmp_path / "tokens.toml")


def test_a_caller_may_make_a_seconds_calls_at_once() -> None:
    """After them there is one for each part of a second, and the error says when."""
    now = [100.0]
    usage = Usage(lambda: now[0])
    for _ in range(4):
        usage.count_call(4.0)
    with pytest.raises(ExceededLimitError) as caught:
        usage.count_call(4.0)
    assert caught.value.retry_after == pytest.approx(0.25)
    now[0] += 0.25
    usage.count_call(4.0)
    now[0] += 100.0
    for _ in range(4):
        usage.count_call(4.0)
    with pytest.raises(ExceededLimitError):
        usage.count_call(4.0)


def test_less_than_a_call_a_second_is_possible() -> None:
    """A rate below 1 allows one call, and the next after its time."""
    now = [100.0]
    usage = Usage(lambda: now[0])
    usage.count_call(0.1)
    with pytest.raises(ExceededLimitError) as caught:
        usage.count_call(0.1)
    assert caught.value.retry_after == pytest.approx(10.0)


def test_searches_at_once_end_in_any_order() -> None:
    """A search beyond the limit is told to wait for the first of the others to end."""
    usage = Usage(lambda: 100.0)
    with usage.searching(103.0, 2):
        with usage.searching(101.0, 2), pytest.raises(ExceededLimitError) as caught:
            usage.searching(102.0, 2).__enter__()
        assert caught.value.retry_after == pytest.approx(1.0)
        with usage.searching(102.0, 2):
            pass


async def test_calls_beyond_the_rate_say_when_to_retry(logs: None, tokens: Tokens) -> None:
    """All calls count, ListStrategies too, and another token is not concerned."""
    slow, other = tokens.put("slow", "calls_per_second = 0.5"), tokens.put("other")
    async with (
        serving(PortSettings(tokens=tokens.path)) as (_, address),
        grpc.aio.insecure_channel(address) as channel,
    ):
        stub = search_pb2_grpc.SearchServiceStub(channel)
        listing = stub.ListStrategies(pb.ListStrategiesRequest(), metadata=bearing(slow))
        assert (await reply_of(listing)).code == OK
        reply = await search(channel, slow)
        assert (reply.code, reply.details) == (
            RESOURCE_EXHAUSTED,
            "too many calls: this token has 0.5 a second",
        )
        assert reply.retry_after is not None and 0 < reply.retry_after <= 2.0
        assert (await search(channel, other)).code == OK


async def test_searches_at_once_are_limited(logs: None, tokens: Tokens) -> None:
    """One more is refused until one has ended, with the time that this takes at most."""
    bot = tokens.put("bot", "searches_at_once = 1")
    async with (
        serving(PortSettings(tokens=tokens.path)) as (_, address),
        grpc.aio.insecure_channel(address) as channel,
    ):
        stub = search_pb2_grpc.SearchServiceStub(channel)
        running = stub.StreamSearch(stream_request(search_request(milliseconds=900)), metadata=bearing(bot))
        await running.read()
        reply = await search(channel, bot)
        assert (reply.code, reply.details) == (
            RESOURCE_EXHAUSTED,
            "too many searches at once: this token has 1",
        )
        assert reply.retry_after is not None and 0 < reply.retry_after <= 0.9
        running.cancel()
        async with asyncio.timeout(PATIENCE):
            while (await search(channel, bot)).code != OK:
                await asyncio.sleep(0.01)


@pytest.mark.parametrize("limits", ["time", "deadline", "depth"])
async def test_the_longest_search_ends_the_others(logs: None, tokens: Tokens, limits: str) -> None:
    """A search ends after the token's longest time, whether its time, its depth or its deadline is longer."""
    bot = tokens.put("bot", "longest_search = 0.1")
    request = search_request(depth=50 if limits == "depth" else 0)
    if limits == "time":
        request.limits.time.seconds = 30
    async with (
        serving(PortSettings(tokens=tokens.path), FakeStrategies()) as (_, address),
        grpc.aio.insecure_channel(address) as channel,
    ):
        stub = search_pb2_grpc.SearchServiceStub(channel)
        call = stub.Search(request, metadata=bearing(bot), timeout=30.0 if limits == "deadline" else None)
        result = (await asyncio.wait_for(call, PATIENCE)).result
        assert result.stop_reason == pb.STOP_REASON_DEADLINE
        assert 0.05 < result.elapsed.ToMicroseconds() / 1e6 < 5.0


async def test_the_longest_search_lengthens_none(logs: None, tokens: Tokens) -> None:
    """A search without limits keeps its default time."""
    bot = tokens.put("bot", "longest_search = 30.0")
    async with (
        serving(PortSettings(tokens=tokens.path)) as (_, address),
        grpc.aio.insecure_channel(address) as channel,
    ):
        call = search_pb2_grpc.SearchServiceStub(channel).Search(search_request(), metadata=bearing(bot))
        assert (await asyncio.wait_for(call, PATIENCE)).result.elapsed.ToMicroseconds() < 5e6


async def test_limits_follow_the_file(logs: None, tokens: Tokens) -> None:
    """A rate that the file raises holds for the next calls."""
    bot = tokens.put("bot", "calls_per_second = 0.001")
    async with (
        serving(PortSettings(tokens=tokens.path)) as (_, address),
        grpc.aio.insecure_channel(address) as channel,
    ):
        assert (await search(channel, bot)).code == OK
        assert (await search(channel, bot)).code == RESOURCE_EXHAUSTED
        tokens.put("bot", "calls_per_second = 1000.0")
        async with asyncio.timeout(PATIENCE):
            while (await search(channel, bot)).code != OK:
                await asyncio.sleep(0.05)


LISTING = "battlesnake.search.v1.SearchService/ListStrategies"


async def test_callers_without_a_token_share_a_bound(tokens: Tokens) -> None:
    """Beyond it they are asked to wait; a call that ends makes room, and one with a token needs none."""
    bot = tokens.put("bot")
    callers = Callers(SEARCHER, TokenFile(tokens.path), ["strategies"])
    addresses = [f"ipv4:192.0.2.{number % 4}:{number}" for number in range(MOST_OPEN_CALLS)]
    for _ in range(2):
        async with AsyncExitStack() as calls:
            for peer in addresses:
                await calls.enter_async_context(callers.calling(LISTING, None, 0.0, peer))
            with pytest.raises(ExceededLimitError, match="too many calls without a token") as refused:
                await calls.enter_async_context(callers.calling(LISTING, None, 0.0, addresses[0]))
            assert (refused.value.reason, refused.value.retry_after) == ("open_calls", 1.0)
            check = callers.check(SEARCH, f"Bearer {bot}")
            await calls.enter_async_context(callers.calling(SEARCH, check, 0.0, addresses[0]))


async def test_without_tokens_there_is_no_such_bound() -> None:
    """Everybody is a caller without a token there."""
    callers = Callers(SEARCHER)
    async with AsyncExitStack() as calls:
        for _ in range(MOST_OPEN_CALLS + 1):
            check = callers.check(SEARCH, "")
            await calls.enter_async_context(callers.calling(SEARCH, check, 0.0, "ipv4:192.0.2.1:80"))


async def test_an_overloaded_searcher_says_when_to_retry(logs: None) -> None:
    """A search that finds no room may try again when the next of the running ones has ended."""
    async with (
        serving() as (_, address),
        grpc.aio.insecure_channel(address) as channel,
    ):
        stub = search_pb2_grpc.SearchServiceStub(channel)
        running = [
            stub.StreamSearch(stream_request(search_request(milliseconds=900, depth=90))) for _ in range(2)
        ]
        for each in running:
            await each.read()
        calls = [search(channel, request=search_request(milliseconds=6)) for _ in range(20)]
        found = [reply for reply in await asyncio.gather(*calls) if reply.code == RESOURCE_EXHAUSTED]
        assert found and all(reply.retry_after and reply.retry_after <= 0.95 for reply in found)
        for each in running:
            each.cancel()
