"""Calls of a searcher for people who study a position."""

import asyncio

import grpc
import grpc.aio
import pytest

from battlesnake_search.contract import search_pb2
from battlesnake_search.searcher_client import SearcherClient
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import ScriptedService

PATIENCE = 20.0


async def _depths(script: scripted_searcher.Script) -> tuple[list[tuple[int, bool]], ScriptedService]:
    """Return the depths of a search of a minute, and the service that was asked."""
    service = ScriptedService(script)
    found = []
    async with scripted_searcher.searcher(service) as target, SearcherClient(target) as client:
        async for response in client.depths(search_pb2.StreamSearchRequest(), 60.0):
            found.append((response.result.depth, response.final))
    return found, service


async def test_each_depth_is_shown() -> None:
    """The search has all of its time, to the microsecond."""
    found, service = await _depths(scripted_searcher.at_once)
    assert found == [(1, False), (2, True)]
    assert [request.limits.time.ToMicroseconds() for request in service.requests] == [60_000_000]


async def test_an_error_is_shown_as_it_is() -> None:
    """What came before it stays, and nothing is tried again."""
    with pytest.raises(grpc.aio.AioRpcError, match="not now"):
        await _depths(scripted_searcher.refusing(grpc.StatusCode.UNAVAILABLE, 1))


async def test_closing_ends_the_search() -> None:
    """Nobody waits for the depths of a page that is gone."""
    ended = asyncio.Event()
    script = scripted_searcher.setting(ended, scripted_searcher.one_depth_then_silence)
    async with (
        scripted_searcher.searcher(ScriptedService(script)) as target,
        SearcherClient(target) as client,
    ):
        found = client.depths(search_pb2.StreamSearchRequest(), 60.0)
        assert (await anext(found)).result.depth == 1
        await found.aclose()
        async with asyncio.timeout(PATIENCE):
            await ended.wait()
