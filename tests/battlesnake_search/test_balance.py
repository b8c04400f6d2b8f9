"""Calls go to searchers with room."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from battlesnake_search.searcher_client import SearcherClient
from searcher.serving.server import Server
from tests.battlesnake_search.timing import deadlines_in
from tests.searcher.fakes import FakeStrategies
from tests.searcher.requests import search_request, stream_request

SETTLING, COUNTED = 4.0, 3.0
"""Seconds."""


@asynccontextmanager
async def searcher(workers: int) -> AsyncIterator[tuple[str, FakeStrategies]]:
    """Run a searcher whose searches take all of their time; yield its address and its strategies."""
    strategies = FakeStrategies()
    server = Server("127.0.0.1:0", workers, strategies)
    address = await server.start()
    await server.warm()
    yield address, strategies
    await server.stop(0.0)


@pytest.mark.alone
async def test_a_larger_searcher_gets_more_calls() -> None:
    """Four workers get about four times the calls of one, and not as many."""
    async with AsyncExitStack() as stack:
        (one, small), (other, large) = [
            await stack.enter_async_context(searcher(workers)) for workers in (1, 4)
        ]
        client = await stack.enter_async_context(SearcherClient(f"ipv4:{one},{other}"))
        now = asyncio.get_running_loop().time
        until = now() + SETTLING + COUNTED

        async def play() -> None:
            while now() < until:
                await client.search(stream_request(search_request()), deadlines_in(0.2, 0.3))

        games = [asyncio.create_task(play()) for _ in range(10)]
        await asyncio.sleep(SETTLING)
        before = len(small.record.runs), len(large.record.runs)
        await asyncio.gather(*games)
        after = len(small.record.runs), len(large.record.runs)
    calls = [then - first for first, then in zip(before, after, strict=True)]
    assert 2.5 < calls[1] / calls[0] < 6
