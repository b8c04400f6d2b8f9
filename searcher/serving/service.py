"""The SearchService: it reads requests, has the scheduler search them, and responds."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing, contextmanager
from typing import Any, TypeVar

import grpc
from google.rpc import code_pb2
from opentelemetry.trace import SpanKind

from battlesnake_search.common import tracing
from battlesnake_search.common.tracing import Value
from battlesnake_search.contract import search_pb2 as pb
from battlesnake_search.contract import search_pb2_grpc
from battlesnake_search.serving import callers
from battlesnake_search.serving.errors import OverloadedError, RequestError
from searcher.engine.jit.code_cache import origin
from searcher.engine.result import Result
from searcher.errors import UnavailableError
from searcher.interface import OnDepth, StrategyProvider, Task
from searcher.serving import translate
from searcher.serving.load_report import TRAILER
from searcher.serving.metrics import SearchMetrics
from searcher.serving.scheduling.admission import CappedTime, Entry
from searcher.serving.scheduling.deadlines import DEFAULT_TIME, entry_of_task, latest_end
from searcher.serving.scheduling.scheduler import Scheduler


class Gate:
    """The switch by which services accept or refuse requests. Accepted requests still get their responses."""

    closed_because = "the searcher is starting"
    """The reason of refusals. It is empty while requests are accepted."""

    def require_open(self) -> None:
        """Raise UnavailableError unless requests are accepted."""
        if self.closed_because:
            raise UnavailableError(self.closed_because)


SERVICE = pb.DESCRIPTOR.services_by_name["SearchService"].full_name

CODE_KEY = "searcher-code"
"""The trailer of ListStrategies with the code that runs: prebuilt or compiled, target and digest."""

STREAM_INTERVAL = 0.010
"""Seconds between two responses of a stream. The first depths take less time than their responses.

A stream polls for new depths. If each depth woke the event loop, other requests would wait. With four snakes
that called at the same moment on two cores, polling and the lower priority of searches reduced the time on
top of a search. The median fell from 3.0 to 2.5 ms, and the 95th percentile from 8 to 6 ms.
"""

ADMISSION_DELAY = CappedTime(0.003, 0.01)
"""The time that a timed request waits before it is read.

A game's snakes call at the same moment. If a search has taken the cores, it delays the next requests
for longer. No event marks the last of these requests. `python -m benchmarks.acceptance --games 1 --snakes 4
--shrink-every 2 --timeout 150` shows the gain on two cores, in two games each. With the wait half of the
moves had an overhead within 2.0 and 2.5 ms, without it within 3.0 and 4.0 ms.
"""

Context = grpc.aio.ServicerContext[Any, Any]

_Response = TypeVar("_Response", pb.SearchResponse, pb.StreamSearchResponse)


class SearchService(search_pb2_grpc.SearchServiceServicer):
    """The three calls of the service. While the gate is closed, searches get UNAVAILABLE.

    The calls raise RequestError. The guard of the port turns it into a status.
    """

    def __init__(
        self,
        strategies: StrategyProvider,
        scheduler: Scheduler,
        gate: Gate,
        metrics: SearchMetrics,
        compilation: Callable[[], pb.Compilation | None],
    ) -> None:
        """`compilation` returns the code that is being compiled."""
        self._compilation = compilation
        self._strategies = strategies
        self._scheduler = scheduler
        self._gate = gate
        self._metrics = metrics

    async def Search(self, request: pb.SearchRequest, context: Context) -> pb.SearchResponse:
        """Search until a limit is reached, and respond once."""
        arrival = callers.current().arrived
        await asyncio.sleep(_admission_delay(request.limits, context))
        with self._observed("Search", request, context):
            task = self._task_of(request)
            result = await self._search(task, arrival, context)
            self._report_load(context)
        return _timed(pb.SearchResponse(result=translate.result_message(result, task)), arrival)

    async def StreamSearch(
        self, request: pb.StreamSearchRequest, context: Context
    ) -> AsyncIterator[pb.StreamSearchResponse]:
        """Search as Search does, and also respond after each completed depth."""
        arrival = callers.current().arrived
        await asyncio.sleep(_admission_delay(request.limits, context))
        with self._observed("StreamSearch", request, context):
            task = self._task_of(request)
            async with aclosing(self._depths(task, arrival, context)) as depths:
                async for result, final in depths:
                    message = translate.result_message(result, task)
                    yield _timed(pb.StreamSearchResponse(result=message, final=final), arrival)
            self._report_load(context)

    async def ListStrategies(
        self, request: pb.ListStrategiesRequest, context: Context
    ) -> pb.ListStrategiesResponse:
        """List every search and every evaluator on offer, whether the gate is open or closed.

        Callers can check their strategies while a searcher with an empty cache compiles. The list also has
        the code that is being compiled.
        """
        context.set_trailing_metadata(((CODE_KEY, origin()),))
        return translate.strategies_message(self._strategies.offer, self._compilation())

    def _task_of(self, request: pb.SearchRequest | pb.StreamSearchRequest) -> Task:
        self._gate.require_open()
        return translate.task_of(request, self._strategies.offer)

    def _report_load(self, context: Context, refused: bool = False) -> None:
        """Report this searcher's load to the caller, so that the next calls go to searchers with room."""
        report = self._metrics.load.answer(self._scheduler.workers, refused)
        context.set_trailing_metadata(((TRAILER, report),))

    @contextmanager
    def _observed(
        self, method: str, request: pb.SearchRequest | pb.StreamSearchRequest, context: Context
    ) -> Iterator[None]:
        """Trace a call, and count a call without a search."""
        game = request.position.game_id
        name = f"{SERVICE}/{method}"
        attributes = {"rpc.system": "grpc", "rpc.method": name, "battlesnake.game": game}
        try:
            with tracing.playing(game), tracing.span(name, SpanKind.SERVER, attributes):
                yield
        except RequestError as error:
            self._metrics.count_refused(code_pb2.Code.Name(error.code))
            if isinstance(error, OverloadedError):
                self._report_load(context, refused=True)
            raise

    async def _search(
        self, task: Task, arrival: float, context: Context, on_depth: OnDepth | None = None
    ) -> Result:
        caller = callers.current()
        latest = latest_end(context.time_remaining(), arrival)
        entry = entry_of_task(task, arrival, latest, caller.longest_search)
        with caller.searching(entry.deadline):
            admitted = time.monotonic()
            result = await self._scheduler.search(task, entry, on_depth)
            _record_spans(admitted, entry, result, task)
            return result

    async def _depths(
        self, task: Task, arrival: float, context: Context
    ) -> AsyncGenerator[tuple[Result, bool], None]:
        """Yield the latest result once in each STREAM_INTERVAL, then the last one, marked as final."""
        # The worker's thread fills it.
        latest: deque[Result] = deque(maxlen=1)
        search = asyncio.create_task(self._search(task, arrival, context, latest.append))
        try:
            while not (await asyncio.wait((search,), timeout=STREAM_INTERVAL))[0]:
                # The last depth is sent only once, as the final response.
                if latest and (result := latest.pop()).stop_reason is None:
                    yield result, False
            if latest and search.exception() is not None:
                # The last completed depth of a failed search.
                yield latest.pop(), False
            yield await search, True
        finally:
            search.cancel()


def _record_spans(admitted: float, entry: Entry, result: Result, task: Task) -> None:
    """Record the times that a search waited for its worker and then took."""
    tracing.record("wait for a worker", admitted, entry.started)
    attributes: dict[str, Value] = {
        "battlesnake.strategy": str(task.strategy),
        "battlesnake.depth": result.depth,
        "battlesnake.nodes": result.nodes,
        "battlesnake.threads": entry.held + entry.helpers,
        "battlesnake.stop_reason": result.stop_reason.value if result.stop_reason else "",
    }
    tracing.record("search", entry.started, time.monotonic(), attributes)


def _admission_delay(limits: pb.Limits, context: Context) -> float:
    """Return the seconds to wait for other requests that arrive with this one, 0 for an untimed search."""
    if limits.HasField("time"):
        seconds = limits.time.seconds + limits.time.nanos / 1e9
    elif limits.depth or limits.nodes:
        seconds = 0.0
    else:
        seconds = context.time_remaining() or DEFAULT_TIME
    return ADMISSION_DELAY.of(max(seconds, 0.0))


def _timed(response: _Response, arrival: float) -> _Response:
    """Set the elapsed time, including the wait for a worker and the writing of the response."""
    response.result.elapsed.FromNanoseconds(int((time.monotonic() - arrival) * 1e9))
    return response
