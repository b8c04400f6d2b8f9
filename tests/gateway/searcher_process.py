"""A scripted searcher as a separate process: python -m tests.gateway.searcher_process [--stubborn] TARGET.

Its results have its process id as their number of nodes. With --stubborn it ignores SIGTERM.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator

from battlesnake_search.contract import search_pb2
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import Context, ScriptedService


async def answer_with_pid(
    _request: search_pb2.StreamSearchRequest, _context: Context
) -> AsyncIterator[search_pb2.StreamSearchResponse]:
    """Answer with one final result that has the process id."""
    answer = scripted_searcher.response(search_pb2.DIRECTION_UP, final=True)
    answer.result.nodes = os.getpid()
    yield answer


async def serve(target: str) -> None:
    """Serve until the process ends."""
    async with scripted_searcher.searcher(ScriptedService(answer_with_pid), target):
        await asyncio.Event().wait()


if __name__ == "__main__":
    if "--stubborn" in sys.argv:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    asyncio.run(serve(sys.argv[-1]))
