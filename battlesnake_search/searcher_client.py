"""The client of a searcher: searches with deadlines and retries, and all other calls without retries."""

import asyncio
import math
import re
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import grpc
import grpc.aio
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2
from grpc_status import rpc_status
from opentelemetry.trace import Span, SpanKind

from battlesnake_search.channels import TLS, Connection, Connector, Credentials
from battlesnake_search.common import tracing
from battlesnake_search.contract import analysis_pb2, search_pb2
from battlesnake_search.plan import Deadlines, Metadata

SERVICE = search_pb2.DESCRIPTOR.services_by_name["SearchService"].full_name

_METHOD = f"{SERVICE}/StreamSearch"

# Retries are made here, because gRPC's service config would resend an outdated time limit.
_RETRYABLE = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED})
_FIRST_BACKOFF = 0.01
_MAX_BACKOFF = 0.08

_MIN_SEARCH = 0.005
"""Seconds of the shortest search, because the contract allows a searcher to refuse a shorter one."""

_DEADLINE_SLACK = 0.05
"""Seconds from the answer deadline to the call's deadline. A searcher ends a search up to 50 ms before the
call's deadline, and this end must not be earlier than the search deadline."""

_COMPILING = "COMPILING"
"""The reason, in a searcher's google.rpc.ErrorInfo, of a refusal while code is compiled."""

_HEALTH_TIMEOUT = 1.0

_STREAM_SLACK = 2.0
"""Seconds from the end of the time of `depths` to the deadline of its call."""

_ANALYSIS_TIMEOUT = 5.0
"""Seconds for an analysis without a search."""

_LARGEST_PART = 900_000
_MOST_POSITIONS = 2_000
"""The most bytes of positions, and the most positions, in one call of AnalyzeGame."""

_NO_CONNECTION = re.compile(
    "failed to connect to all addresses|connections to all backends failing|errors resolving|DNS resolution"
)
"""The beginning of gRPC's details if there is no connection."""

_LOST = re.compile(
    "connections? |stream removed|socket closed|cancelling all calls|broken pipe|recvmsg|sendmsg|endpoint |"
    "transport |(received |sending )?(goaway|rst_stream)|keepalive|ping timeout|unavailable$",
    re.IGNORECASE,
)
"""The beginning of gRPC's details if a connection is lost."""

HTTP_SERVER = "an HTTP server listens there"

_WITH_TLS = f"For a searcher with TLS, begin the target with {TLS}"

_CAUSES = (
    # gRPC names the last address alone, and a searcher may listen at another address of the name.
    (re.compile("ipv6:.*Connection refused"), f"nothing listens there. {_WITH_TLS}"),
    (re.compile("Connection refused|No such file or directory"), "nothing listens there"),
    (re.compile(r"http1\.x server"), f"{HTTP_SERVER}, and not a searcher"),
    (re.compile("Expected SETTINGS frame"), "a program that is not a gRPC server listens there"),
    (re.compile("Hostname Verification Check failed"), "the certificate is for another name"),
    (re.compile("WRONG_VERSION_NUMBER"), f"the port speaks no TLS. Remove {TLS} from the target"),
    (re.compile("CERTIFICATE_VERIFY_FAILED"), "the certificate is not by an accepted authority"),
    (re.compile("handshake failed|SSL_ERROR"), "the TLS handshake failed"),
    (re.compile("^errors resolving|^DNS resolution"), "the name has no address"),
    (re.compile("Socket closed|[Cc]onnection reset"), f"the other side closed it. {_WITH_TLS}"),
)
"""Causes in words, each with a pattern for gRPC's details."""

if TYPE_CHECKING:
    _Call = grpc.aio.UnaryStreamCall[search_pb2.StreamSearchRequest, search_pb2.StreamSearchResponse]


@dataclass(frozen=True, slots=True)
class Failure:
    """The error that ended a call, from the searcher or from the network."""

    code: grpc.StatusCode
    details: str
    retry_after: float = 0.0
    """Seconds that the searcher asks its caller to wait; 0 by default."""
    is_compiling: bool = False
    """Whether the searcher refuses the strategy until its code is compiled."""


@dataclass(slots=True)
class SearchReply:
    """A searcher's results so far. `result` is the deepest one; `final`: its search was completed."""

    result: search_pb2.SearchResult | None = None
    final: bool = False
    failures: list[Failure] = field(default_factory=list)

    def update(self, response: search_pb2.StreamSearchResponse) -> None:
        """Take a response's result, unless an earlier attempt had a deeper one."""
        if self.result is None or response.result.depth >= self.result.depth:
            self.result = response.result
            self.final = response.final
            self.on_result()

    def on_result(self) -> None:
        """Do nothing; called after each new `result`, for subclasses."""


class SearcherClient(AbstractAsyncContextManager["SearcherClient"]):
    """A client of the searchers behind one gRPC target. Create and use it within one event loop.

    An asynchronous context manager: leaving it ends all calls.
    """

    def __init__(self, target: str, credentials: Credentials | None = None) -> None:
        self.target = target
        self._connector = Connector(target, credentials or Credentials())
        self._news = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None
        self._timeouts: set[asyncio.Timeout] = set()
        """The timeouts of the running searches."""
        self._latest = math.inf
        """The time by `time.monotonic()` at which all searches have to return."""
        self._ending: set[object] = set()
        """Abandoned reads and calls, kept until they end."""

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def metadata(self) -> Metadata:
        """The headers that every call needs."""
        return self._connector.metadata

    def connected(self) -> AbstractContextManager[Connection]:
        """Return a context that keeps a connection open for calls."""
        return self._connector.connected()

    async def ready(self) -> None:
        """Wait until a searcher is connected, without a time limit."""
        with self.connected() as connection:
            await connection.ready()

    def reconnect(self) -> None:
        """Connect again, because the searcher listens now. Searches try again when it is SERVING."""
        self._stop_watching()
        self._connector.reconnect()
        self._watching = asyncio.create_task(self._watch())

    async def close(self) -> None:
        """Close the connections and end all calls."""
        self._stop_watching()
        await self._connector.close()

    async def retire(self) -> None:
        """Close the connections as soon as no call uses them."""
        self._stop_watching()
        await self._connector.retire()

    def hurry(self, seconds: float) -> None:
        """Make all searches, including later ones, return their best result within this many seconds."""
        self._latest = min(self._latest, time.monotonic() + seconds)
        for timeout in self._timeouts:
            if (timeout.when() or math.inf) > self._latest:
                timeout.reschedule(self._latest)

    def _stop_watching(self) -> None:
        if self._watching:
            self._watching.cancel()

    async def _watch(self) -> None:
        """Wait until the searcher is SERVING, and then let the waiting searches try again immediately."""
        with suppress(grpc.aio.AioRpcError), self.connected() as connection:
            request = health_pb2.HealthCheckRequest(service=SERVICE)
            call = connection.health.Watch(request, metadata=self.metadata)
            async for response in call:
                if response.status == health_pb2.HealthCheckResponse.SERVING:
                    break
            call.cancel()
        self._news.set()
        self._news.clear()

    async def search(
        self,
        request: search_pb2.StreamSearchRequest,
        deadlines: Deadlines,
        metadata: Metadata = (),
        reply: SearchReply | None = None,
        bridges: bool = False,
    ) -> SearchReply:
        """Search until the search deadline, and return by the answer deadline.

        This sets the request's time limit. `reply` collects the results for callers that can't wait for the
        end. With `bridges`, the searcher's default strategy searches while the request's strategy is
        compiled. Errors of the searcher and of the network become failures of the reply and are never raised.
        """
        reply = SearchReply() if reply is None else reply
        now, backoff = time.monotonic, _FIRST_BACKOFF
        # The call has a later deadline. This timeout holds even if gRPC returns nothing. The connection stays
        # open between two attempts, too.
        with suppress(TimeoutError), self.connected():
            async with asyncio.timeout_at(min(deadlines.answer, self._latest)) as timeout:
                self._timeouts.add(timeout)
                try:
                    while (left := deadlines.search - now()) >= _MIN_SEARCH:
                        request.limits.time.FromMicroseconds(int(left * 1e6))
                        latest = deadlines.answer - now() + _DEADLINE_SLACK
                        failure = await self._attempt(request, latest, metadata, reply)
                        if failure is None:
                            break
                        reply.failures.append(failure)
                        if bridges and failure.is_compiling and request.HasField("strategy"):
                            request.ClearField("strategy")
                            continue
                        if failure.code not in _RETRYABLE or failure.retry_after >= left:
                            break
                        pause = min(max(backoff, failure.retry_after), left)
                        with suppress(TimeoutError):
                            await asyncio.wait_for(self._news.wait(), pause)
                        backoff = min(2 * backoff, _MAX_BACKOFF)
                finally:
                    self._timeouts.discard(timeout)
        return reply

    async def _attempt(
        self,
        request: search_pb2.StreamSearchRequest,
        timeout: float,
        metadata: Metadata,
        reply: SearchReply,
    ) -> Failure | None:
        with self.connected() as connection, self._span() as span:
            headers = (*metadata, *self.metadata, *tracing.headers().items())
            call = connection.searches.StreamSearch(request, timeout=timeout, metadata=headers)
            # Read in a separate task and never cancel it, because gRPC leaks the memory of a cancelled read
            # (grpc/grpc#43360). A cancelled call leaks as well, so a call that is about to end is left alone.
            reading = asyncio.create_task(self._read(call, reply))
            self._ending.add(reading)
            reading.add_done_callback(self._ending.discard)
            try:
                failure = await asyncio.shield(reading)
                span.set_attributes({"rpc.response.status_code": failure.code.name if failure else "OK"})
                return failure
            except asyncio.CancelledError:
                if (call.time_remaining() or 0.0) > _DEADLINE_SLACK:
                    call.cancel()
                raise

    async def _read(self, call: "_Call", reply: SearchReply) -> Failure | None:
        """Read to the final result or the end of the call; return the error of a call that fails."""
        try:
            async for response in call:
                reply.update(response)
                if response.final:
                    # Waiting for the status after the result would cost a fraction of a millisecond.
                    self._ending.add(call)
                    call.add_done_callback(self._ending.discard)
                    return None
        except grpc.aio.AioRpcError as error:
            return failure_of(error)
        return None

    def _span(self) -> AbstractContextManager[Span]:
        """Return the span of one attempt."""
        attributes = {"rpc.system": "grpc", "rpc.method": _METHOD, "server.address": self.target}
        return tracing.span(_METHOD, SpanKind.CLIENT, attributes)

    async def trouble(self) -> str:
        """Return the reason why a search would fail now; empty if it would succeed."""
        try:
            request = health_pb2.HealthCheckRequest(service=SERVICE)
            with self.connected() as connection:
                response = await connection.health.Check(
                    request, timeout=_HEALTH_TIMEOUT, metadata=self.metadata
                )
        except grpc.aio.AioRpcError as error:
            return f"searcher at {self.target}: {error.code().name}: {reason_of(error)}"
        if response.status == health_pb2.HealthCheckResponse.SERVING:
            return ""
        status = health_pb2.HealthCheckResponse.ServingStatus.Name(response.status)
        return f"searcher at {self.target}: {status}"

    async def list_strategies(self, timeout: float) -> search_pb2.ListStrategiesResponse:
        """Return the searcher's strategies. Raises grpc.aio.AioRpcError if the call fails or times out."""
        request = search_pb2.ListStrategiesRequest()
        with self.connected() as connection:
            response: search_pb2.ListStrategiesResponse = await connection.searches.ListStrategies(
                request, timeout=timeout, metadata=self.metadata
            )
        return response

    async def search_once(self, request: search_pb2.SearchRequest, timeout: float) -> search_pb2.SearchResult:
        """Return the result of a complete search, in one call. Raises grpc.aio.AioRpcError."""
        with self.connected() as connection:
            response: search_pb2.SearchResponse = await connection.searches.Search(
                request, timeout=timeout, metadata=self.metadata
            )
        return response.result

    async def depths(
        self, request: search_pb2.StreamSearchRequest, seconds: float
    ) -> AsyncGenerator[search_pb2.StreamSearchResponse]:
        """Yield the result of each completed depth. Closing the iterator ends the search.

        Sets the request's time limit to `seconds`. Raises grpc.aio.AioRpcError.
        """
        request.limits.time.FromMicroseconds(int(seconds * 1e6))
        with self.connected() as connection:
            call = connection.searches.StreamSearch(
                request, timeout=seconds + _STREAM_SLACK, metadata=self.metadata
            )
            try:
                async for response in call:
                    yield response
            finally:
                call.cancel()

    async def analyze_game(
        self,
        request: analysis_pb2.AnalyzeGameRequest,
        positions: Sequence[analysis_pb2.GamePosition],
    ) -> AsyncGenerator[analysis_pb2.AnalyzeGameResponse]:
        """Yield the answer for each position, by `index`. Closing the iterator ends the searches.

        `request` has no positions. A game that is too large for one call is sent in several calls. Raises
        grpc.aio.AioRpcError.
        """
        start = 0
        for part in _parts(positions):
            asked = analysis_pb2.AnalyzeGameRequest(positions=part)
            asked.MergeFrom(request)
            with self.connected() as connection:
                call = connection.analyses.AnalyzeGame(asked, metadata=self.metadata)
                try:
                    async for response in call:
                        response.index += start
                        response.final = response.final and start + len(part) == len(positions)
                        yield response
                finally:
                    call.cancel()
            start += len(part)

    async def evaluate(self, request: analysis_pb2.EvaluateRequest) -> analysis_pb2.EvaluateResponse:
        """Return an evaluator's scores of a position. Raises grpc.aio.AioRpcError."""
        with self.connected() as connection:
            answer: analysis_pb2.EvaluateResponse = await connection.analyses.Evaluate(
                request, timeout=_ANALYSIS_TIMEOUT, metadata=self.metadata
            )
        return answer

    async def advance(self, request: analysis_pb2.AdvanceRequest) -> analysis_pb2.AdvanceResponse:
        """Return the position after a turn. Raises grpc.aio.AioRpcError."""
        with self.connected() as connection:
            answer: analysis_pb2.AdvanceResponse = await connection.analyses.Advance(
                request, timeout=_ANALYSIS_TIMEOUT, metadata=self.metadata
            )
        return answer


def _parts(positions: Sequence[analysis_pb2.GamePosition]) -> Iterator[list[analysis_pb2.GamePosition]]:
    """Yield the positions in parts that fit into one request each."""
    part: list[analysis_pb2.GamePosition] = []
    size = 0
    for position in positions:
        if part and (len(part) >= _MOST_POSITIONS or size + position.ByteSize() > _LARGEST_PART):
            yield part
            part, size = [], 0
        part.append(position)
        size += position.ByteSize()
    if part:
        yield part


def reason_of(error: grpc.aio.AioRpcError) -> str:
    """Return the searcher's details of an error or, without a connection, the cause in words."""
    details = error.details() or ""
    if _NO_CONNECTION.match(details):
        cause = next((words for pattern, words in _CAUSES if pattern.search(details)), details)
        return f"no connection: {cause}"
    return "the connection is lost. Try again in a moment" if _LOST.match(details) else details


def failure_of(error: grpc.aio.AioRpcError) -> Failure:
    """Return the failure of a call that ended with an error."""
    return Failure(error.code(), reason_of(error), *delay_and_compiling(error))


def delay_and_compiling(error: grpc.aio.AioRpcError) -> tuple[float, bool]:
    """Return the seconds after which to call again, or 0, and whether the searcher compiles."""
    try:
        # `from_call` takes an error in place of a call, because both have a status and trailing metadata.
        status = rpc_status.from_call(error)
    except (ValueError, DecodeError):
        return 0.0, False
    delay, info = error_details_pb2.RetryInfo(), error_details_pb2.ErrorInfo()
    for detail in status.details if status else ():
        detail.Unpack(delay)
        detail.Unpack(info)
    return float(delay.retry_delay.ToTimedelta().total_seconds()), info.reason == _COMPILING
