"""What the client of a searcher holds after its searches."""

import asyncio
import os
from collections.abc import AsyncIterator

from battlesnake_search.contract import search_pb2
from battlesnake_search.searcher_client import SearcherClient
from tests.battlesnake_search.timing import deadlines_in
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import Context, ScriptedService, response
from tests.support.processes import usage

SEARCHES, AT_ONCE = 400, 20
LARGE = 100_000
"""Bytes of a response: so many that those of a few searches show."""


async def endless(
    request: search_pb2.StreamSearchRequest, context: Context
) -> AsyncIterator[search_pb2.StreamSearchResponse]:
    """Send one large response after another."""
    large = response(search_pb2.DIRECTION_UP)
    large.result.strategy.search = "x" * LARGE
    while True:
        yield large
        await asyncio.sleep(0.001)


async def test_searches_that_run_out_of_time_leave_no_memory_behind() -> None:
    """The responses that are still on their way at the deadline are freed."""
    async with (
        scripted_searcher.searcher(ScriptedService(endless)) as target,
        SearcherClient(target) as searcher,
    ):

        async def search() -> None:
            await searcher.search(search_pb2.StreamSearchRequest(), deadlines_in(0.02, 0.03))

        async def grown_by_all() -> float:
            before = usage(os.getpid()).megabytes
            for _ in range(SEARCHES // AT_ONCE):
                await asyncio.gather(*(search() for _ in range(AT_ONCE)))
            # The last calls end a little later than their searches.
            await asyncio.sleep(0.5)
            return usage(os.getpid()).megabytes - before

        # The allocator grows at first, and now and then; what is left behind would add up every time.
        growth = [await grown_by_all() for _ in range(4)]
        assert min(growth) < SEARCHES * LARGE / 1e6 / 4, growth
