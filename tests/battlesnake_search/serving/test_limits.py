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
from battlesnake_search.serving.errors import ExceededLimitError
from battlesnake_search.serving.port import PortSettings
from searcher.serving.program import SEARCHER
from tests.battlesnake_search.serving.guarded import (
    OK,
    PATIENCE,
    Tokens,
    bearing,
    calling,
    reply_of,
    search,
)
from tests.searcher.fakes import FakeStrategies
from tests.searcher.requests import search_request

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
    async with calling(PortSettings(tokens=tokens.path)) as (_, channel):
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


@pytest.mark.parametrize("limits", ["time", "deadline", "depth"])
async def test_the_longest_search_ends_the_others(logs: None, tokens: Tokens, limits: str) -> None:
    """A search ends after the token's longest time, whether its time, its depth or its deadline is longer."""
    bot = tokens.put("bot", "longest_search = 0.1")
    request = search_request(depth=50 if limits == "depth" else 0)
    if limits == "time":
        request.limits.time.seconds = 30
    async with calling(PortSettings(tokens=tokens.path), FakeStrategies()) as (_, channel):
        stub = search_pb2_grpc.SearchServiceStub(channel)
        call = stub.Search(request, metadata=bearing(bot), timeout=30.0 if limits == "deadline" else None)
        result = (await asyncio.wait_for(call, PATIENCE)).result
        assert result.stop_reason == pb.STOP_REASON_DEADLINE
        assert 0.05 < result.elapsed.ToMicroseconds() / 1e6 < 5.0


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
