"""The SearchService: reads requests, has them searched, answers."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from typing import Any, TypeVar

import grpc

from protos.battlesnake.search.v1 import search_pb2 as pb
from protos.battlesnake.search.v1 import search_pb2_grpc
from searcher.engine.result import Result
from searcher.errors import RequestError, UnavailableError
from searcher.interface import OnDepth, StrategyProvider, Task
from searcher.serving import translate
from searcher.serving.scheduler import Scheduler

DEFAULT_TIME = 0.4
"""Seconds to search when neither the request nor the call has a limit."""

LONGEST_UNTIMED = 60.0
"""Seconds after which a search limited by depth or nodes alone is given up, when the call has no deadline."""

MARGIN = 0.010
"""Seconds left for the answer's way back before the call's own deadline..."""

MARGIN_SHARE = 0.1
"""...but of a short call no more than this share."""

GAP = 0.010
"""Seconds between two answers of a stream: the first depths take less than sending them does."""

LULL = 0.003
"""Seconds before a timed request is looked at. A game's snakes ask at the same moment, and a search that has
taken the cores makes the requests behind it wait longer than that..."""

LULL_SHARE = 0.01
"""...but no more than this share of the search's time."""

Context = grpc.aio.ServicerContext[Any, Any]

_Response = TypeVar("_Response", pb.SearchResponse, pb.StreamSearchResponse)


class SearchService(search_pb2_grpc.SearchServiceServicer):
    """Answers all three calls while it is open, and with UNAVAILABLE while it is not."""

    def __init__(self, strategies: StrategyProvider, scheduler: Scheduler) -> None:
        self._strategies = strategies
        self._scheduler = scheduler
        self._closed_because = "the searcher is starting"

    def open(self) -> None:
        """From now on requests are accepted."""
        self._closed_because = ""

    def close(self) -> None:
        """From now on requests are refused; those accepted are answered."""
        self._closed_because = "the searcher is shutting down"

    async def Search(self, request: pb.SearchRequest, context: Context) -> pb.SearchResponse:
        """Searches until a limit is reached and answers once."""
        arrival = time.monotonic()
        await asyncio.sleep(_lull(request.limits, context))
        try:
            task = self._task_of(request)
            result = await self._search(task, arrival, context)
        except RequestError as error:
            await context.abort_with_status(error.status())
        return _timed(pb.SearchResponse(result=translate.result_message(result, task)), arrival)

    async def StreamSearch(
        self, request: pb.StreamSearchRequest, context: Context
    ) -> AsyncIterator[pb.StreamSearchResponse]:
        """Searches likewise, but also answers when depths complete."""
        arrival = time.monotonic()
        await asyncio.sleep(_lull(request.limits, context))
        try:
            task = self._task_of(request)
            async for result, final in self._depths(task, arrival, context):
                message = translate.result_message(result, task)
                yield _timed(pb.StreamSearchResponse(result=message, final=final), arrival)
        except RequestError as error:
            await context.abort_with_status(error.status())

    async def ListStrategies(
        self, request: pb.ListStrategiesRequest, context: Context
    ) -> pb.ListStrategiesResponse:
        """Names every search and every evaluator."""
        try:
            self._require_open()
        except RequestError as error:
            await context.abort_with_status(error.status())
        return translate.strategies_message(self._strategies.offer)

    def _require_open(self) -> None:
        if self._closed_because:
            raise UnavailableError(self._closed_because)

    def _task_of(self, request: pb.SearchRequest | pb.StreamSearchRequest) -> Task:
        self._require_open()
        return translate.task_of(request, self._strategies.offer)

    async def _search(
        self, task: Task, arrival: float, context: Context, on_depth: OnDepth | None = None
    ) -> Result:
        deadline, timed = search_window(task, arrival, context.time_remaining())
        return await self._scheduler.search(task, deadline, timed=timed, on_depth=on_depth)

    async def _depths(
        self, task: Task, arrival: float, context: Context
    ) -> AsyncIterator[tuple[Result, bool]]:
        """The result as depths complete, the latest at most every GAP, and the last one marked as such."""
        # Filled by the worker's thread. Waking the event loop for each depth would cost the others' requests
        # more than a look every GAP does.
        latest: deque[Result] = deque(maxlen=1)
        search = asyncio.create_task(self._search(task, arrival, context, latest.append))
        try:
            while not (await asyncio.wait((search,), timeout=GAP))[0]:
                # The depth that ends the search comes once, as the last answer.
                if latest and (result := latest.pop()).stop_reason is None:
                    yield result, False
            if latest and search.exception() is not None:
                # All that a search has to show which broke down.
                yield latest.pop(), False
            yield await search, True
        finally:
            search.cancel()


def _lull(limits: pb.Limits, context: Context) -> float:
    """Seconds to wait for other requests that arrive with this one; none for a search that isn't timed."""
    if limits.HasField("time"):
        seconds = limits.time.seconds + limits.time.nanos / 1e9
    elif limits.depth or limits.nodes:
        seconds = 0.0
    else:
        seconds = context.time_remaining() or DEFAULT_TIME
    return min(LULL, LULL_SHARE * max(seconds, 0.0))


def _timed(response: _Response, arrival: float) -> _Response:
    """The response as it leaves: waiting for a worker and writing this are parts of a caller's search."""
    response.result.elapsed.FromNanoseconds(int((time.monotonic() - arrival) * 1e9))
    return response


def search_window(task: Task, arrival: float, remaining: float | None) -> tuple[float, bool]:
    """When the search has to end, and whether time limits it; in `time.monotonic()` seconds.

    `remaining` is what the call's own deadline leaves, None if it has none. A search limited by depth or
    nodes alone isn't timed: it is to repeat exactly, and the call's deadline only bounds it.
    """
    repeats = task.time is None and (task.limits.depth is not None or task.limits.nodes is not None)
    ends = [] if task.time is None else [arrival + task.time]
    if remaining is not None:
        ends.append(arrival + remaining - min(MARGIN, MARGIN_SHARE * remaining))
    fallback = arrival + (LONGEST_UNTIMED if repeats else DEFAULT_TIME)
    return min(ends, default=fallback), not repeats
