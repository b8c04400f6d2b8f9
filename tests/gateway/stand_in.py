"""A scripted searcher as a process of its own: python -m tests.gateway.stand_in [--stubborn] TARGET.

Its results give its process id as their number of nodes. A stubborn one doesn't end on SIGTERM.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator

from protos.battlesnake.search.v1 import search_pb2
from tests.gateway import scripted
from tests.gateway.scripted import Context, ScriptedService


async def who_am_i(
    _request: search_pb2.StreamSearchRequest, _context: Context
) -> AsyncIterator[search_pb2.StreamSearchResponse]:
    """One final result, with the process id."""
    answer = scripted.response(search_pb2.DIRECTION_UP, final=True)
    answer.result.nodes = os.getpid()
    yield answer


async def serve(target: str) -> None:
    """Serve until the process is ended."""
    async with scripted.searcher(ScriptedService(who_am_i), target):
        await asyncio.Event().wait()


if __name__ == "__main__":
    if "--stubborn" in sys.argv:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    asyncio.run(serve(sys.argv[-1]))
