"""The client of a searcher: it streams a search over one gRPC channel and keeps what arrives in time."""

import asyncio
import json
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field

import grpc
import grpc.aio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from gateway.searchers.deadlines import Deadlines
from gateway.searchers.plan import Metadata
from protos.battlesnake.search.v1 import analysis_pb2_grpc, search_pb2, search_pb2_grpc

SERVICE = search_pb2.DESCRIPTOR.services_by_name["SearchService"].full_name

_TLS = "grpcs://"
"""The prefix of a target whose searchers use TLS, as in clouds: grpcs://host or grpcs://host:port."""

_OPTIONS = (
    # Spreads calls over all addresses of a dns:/// target, and reconnects without waiting for a call.
    ("grpc.service_config", json.dumps({"loadBalancingConfig": [{"round_robin": {}}]})),
    # A game's turn is short: the default backoff of up to two minutes would cost whole games.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 500),
    # The timeout of one attempt to connect, despite the option's name.
    ("grpc.min_reconnect_backoff_ms", 1000),
    ("grpc.dns_min_time_between_resolutions_ms", 1000),
)

# Retries are made here and not by gRPC's service config, which would resend an outdated time limit.
_RETRYABLE = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED})
_FIRST_BACKOFF = 0.01
_MAX_BACKOFF = 0.08

_MIN_SEARCH = 0.005
"""Seconds. The contract allows a searcher to refuse a shorter search."""

_DEADLINE_SLACK = 0.05
"""Seconds from the answer deadline to the call's own. A searcher ends a search up to 50 ms before the call's
deadline, and that must not be earlier than the search deadline."""

_HEALTH_TIMEOUT = 1.0


@dataclass(frozen=True, slots=True)
class Failure:
    """The error that ended a call, from the searcher or from the network."""

    code: grpc.StatusCode
    details: str


@dataclass(slots=True)
class SearchReply:
    """What a searcher has sent. `result` is the deepest that arrived; `final` if its search was completed."""

    result: search_pb2.SearchResult | None = None
    final: bool = False
    failures: list[Failure] = field(default_factory=list)

    def update(self, response: search_pb2.StreamSearchResponse) -> None:
        """Take a response's result, unless an earlier attempt's was deeper."""
        if self.result is None or response.result.depth >= self.result.depth:
            self.result = response.result
            self.final = response.final


class SearcherClient(AbstractAsyncContextManager["SearcherClient"]):
    """A client of the searchers behind one gRPC target. Create and use it within one event loop.

    An asynchronous context manager: leaving it ends all calls.
    """

    def __init__(self, target: str) -> None:
        self.target = target
        self._channel = _channel(target)
        # Connects before the first move needs the connection.
        self._channel.get_state(try_to_connect=True)
        self.search_stub = stub = search_pb2_grpc.SearchServiceStub(self._channel)
        self.analysis_stub = analysis_pb2_grpc.AnalysisServiceStub(self._channel)
        self._stream_search, self._list_strategies = stub.StreamSearch, stub.ListStrategies
        self._check = health_pb2_grpc.HealthStub(self._channel).Check
        self._ending: set[object] = set()
        self._searches = 0
        self._idle = asyncio.Event()
        self._idle.set()

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the channel, which ends all calls."""
        await self._channel.close()

    async def retire(self) -> None:
        """Close the channel as soon as no search uses it."""
        await self._idle.wait()
        await self.close()

    async def search(
        self,
        request: search_pb2.StreamSearchRequest,
        deadlines: Deadlines,
        metadata: Metadata = (),
        reply: SearchReply | None = None,
    ) -> SearchReply:
        """Search until the search deadline, and return by the answer deadline.

        Set the request's time limit. `reply` collects what arrives, for callers that can't wait for the end.
        Errors of the searcher and of the network become failures of the reply and are never raised.
        """
        reply = SearchReply() if reply is None else reply
        self._searches += 1
        self._idle.clear()
        try:
            # The call has a later deadline; this one holds even when gRPC returns nothing.
            with suppress(TimeoutError):
                async with asyncio.timeout_at(deadlines.answer):
                    await self._search_with_retries(request, deadlines, metadata, reply)
        finally:
            self._searches -= 1
            if not self._searches:
                self._idle.set()
        return reply

    async def _search_with_retries(
        self,
        request: search_pb2.StreamSearchRequest,
        deadlines: Deadlines,
        metadata: Metadata,
        reply: SearchReply,
    ) -> None:
        now = asyncio.get_running_loop().time
        backoff = _FIRST_BACKOFF
        while (left := deadlines.search - now()) >= _MIN_SEARCH:
            request.limits.time.FromMicroseconds(int(left * 1e6))
            timeout = deadlines.answer - now() + _DEADLINE_SLACK
            failure = await self._attempt(request, timeout, metadata, reply)
            if failure is None:
                return
            reply.failures.append(failure)
            if failure.code not in _RETRYABLE:
                return
            await asyncio.sleep(min(backoff, left))
            backoff = min(2 * backoff, _MAX_BACKOFF)

    async def _attempt(
        self,
        request: search_pb2.StreamSearchRequest,
        timeout: float,
        metadata: Metadata,
        reply: SearchReply,
    ) -> Failure | None:
        call = self._stream_search(request, timeout=timeout, metadata=metadata)
        try:
            async for response in call:
                reply.update(response)
                if response.final:
                    # Waiting for the status that still follows would cost a fraction of a millisecond.
                    self._ending.add(call)
                    call.add_done_callback(self._ending.discard)
                    return None
        except grpc.aio.AioRpcError as error:
            return Failure(error.code(), error.details() or "")
        except asyncio.CancelledError:
            call.cancel()
            raise
        return None

    async def trouble(self) -> str:
        """Return why a search would fail now; empty if it would not."""
        try:
            request = health_pb2.HealthCheckRequest(service=SERVICE)
            response = await self._check(request, timeout=_HEALTH_TIMEOUT)
        except grpc.aio.AioRpcError as error:
            return f"searcher at {self.target}: {error.code().name}: {error.details()}"
        if response.status == health_pb2.HealthCheckResponse.SERVING:
            return ""
        status = health_pb2.HealthCheckResponse.ServingStatus.Name(response.status)
        return f"searcher at {self.target}: {status}"

    async def list_strategies(self, timeout: float) -> search_pb2.ListStrategiesResponse:
        """Return what the searcher can play. Raises grpc.aio.AioRpcError if the call fails or times out."""
        request = search_pb2.ListStrategiesRequest()
        response: search_pb2.ListStrategiesResponse = await self._list_strategies(request, timeout=timeout)
        return response


def _channel(target: str) -> grpc.aio.Channel:
    if not target.startswith(_TLS):
        return grpc.aio.insecure_channel(target, options=_OPTIONS)
    # Without a port gRPC uses the one of HTTPS. Certificates are checked against well-known authorities, or
    # against those of the file that GRPC_DEFAULT_SSL_ROOTS_FILE_PATH names.
    address = f"dns:///{target.removeprefix(_TLS).rstrip('/')}"
    return grpc.aio.secure_channel(address, grpc.ssl_channel_credentials(), options=_OPTIONS)
