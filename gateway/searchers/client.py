"""Asks a searcher for a move over one gRPC channel, and keeps whatever arrives in time."""

import asyncio
import json
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field

import grpc
import grpc.aio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from gateway.searchers.plan import Metadata
from protos.battlesnake.search.v1 import search_pb2, search_pb2_grpc

SERVICE = search_pb2.DESCRIPTOR.services_by_name["SearchService"].full_name

_TLS = "grpcs://"
"""How a target begins whose searchers are behind TLS, as clouds have them: grpcs://host or grpcs://host:port."""

_OPTIONS = (
    # Spreads calls over all addresses of a dns:/// target, and reconnects without waiting for a call.
    ("grpc.service_config", json.dumps({"loadBalancingConfig": [{"round_robin": {}}]})),
    # A game's turn is short: the usual back-off of up to two minutes would cost whole games.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 500),
    # Time for one try to connect, whatever gRPC's name for it.
    ("grpc.min_reconnect_backoff_ms", 1000),
    ("grpc.dns_min_time_between_resolutions_ms", 1000),
)

# Retries are made here and not by gRPC's service config, which would send an outdated time limit again.
_WORTH_RETRYING = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED})
_FIRST_PAUSE = 0.01
_LONGEST_PAUSE = 0.08

_LEAST_SEARCH = 0.005
"""Seconds; the contract lets a searcher refuse less."""

_HEALTH_TIMEOUT = 1.0
_LIST_TIMEOUT = 5.0


@dataclass(frozen=True, slots=True)
class Failure:
    """A call that a searcher, or the way to it, ended with an error."""

    code: grpc.StatusCode
    details: str


@dataclass(slots=True)
class Found:
    """What came of asking. `result` is the deepest that arrived; `final` if its search was complete."""

    result: search_pb2.SearchResult | None = None
    final: bool = False
    failures: list[Failure] = field(default_factory=list)

    def keep(self, response: search_pb2.StreamSearchResponse) -> None:
        """Take over a result, unless an earlier attempt's went deeper."""
        if self.result is None or response.result.depth >= self.result.depth:
            self.result = response.result
            self.final = response.final


class Searcher(AbstractAsyncContextManager["Searcher"]):
    """The searchers behind one gRPC target. To be made and used within one event loop.

    An asynchronous context manager: leaving it ends all calls.
    """

    def __init__(self, target: str) -> None:
        self.target = target
        self._channel = _channel(target)
        # Connected before the first move needs it.
        self._channel.get_state(try_to_connect=True)
        stub = search_pb2_grpc.SearchServiceStub(self._channel)
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
        """Close the channel as soon as nobody searches over it any more."""
        await self._idle.wait()
        await self.close()

    async def search(
        self,
        request: search_pb2.StreamSearchRequest,
        soft: float,
        hard: float,
        metadata: Metadata = (),
        found: Found | None = None,
    ) -> Found:
        """Ask until the moment `soft`, and return at `hard` at the latest, both of the loop's clock.

        Sets the request's time limit. `found` collects what arrives, for those who can't wait for the end.
        Raises nothing that a searcher or the network could cause.
        """
        found = Found() if found is None else found
        self._searches += 1
        self._idle.clear()
        try:
            # gRPC has a deadline too; this one holds even when nothing comes back from gRPC.
            with suppress(TimeoutError):
                async with asyncio.timeout_at(hard):
                    await self._ask(request, soft, hard, metadata, found)
        finally:
            self._searches -= 1
            if not self._searches:
                self._idle.set()
        return found

    async def _ask(
        self,
        request: search_pb2.StreamSearchRequest,
        soft: float,
        hard: float,
        metadata: Metadata,
        found: Found,
    ) -> None:
        now = asyncio.get_running_loop().time
        pause = _FIRST_PAUSE
        while (left := soft - now()) >= _LEAST_SEARCH:
            request.limits.time.FromMicroseconds(int(left * 1e6))
            failure = await self._attempt(request, hard - now(), metadata, found)
            if failure is None:
                return
            found.failures.append(failure)
            if failure.code not in _WORTH_RETRYING:
                return
            await asyncio.sleep(min(pause, left))
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _attempt(
        self,
        request: search_pb2.StreamSearchRequest,
        timeout: float,
        metadata: Metadata,
        found: Found,
    ) -> Failure | None:
        call = self._stream_search(request, timeout=timeout, metadata=metadata)
        try:
            async for response in call:
                found.keep(response)
                if response.final:
                    # The status that still follows would cost the move a part of a millisecond.
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
        """Why no search could be answered now; empty if one could."""
        try:
            request = health_pb2.HealthCheckRequest(service=SERVICE)
            response = await self._check(request, timeout=_HEALTH_TIMEOUT)
        except grpc.aio.AioRpcError as error:
            return f"searcher at {self.target}: {error.code().name}: {error.details()}"
        if response.status == health_pb2.HealthCheckResponse.SERVING:
            return ""
        status = health_pb2.HealthCheckResponse.ServingStatus.Name(response.status)
        return f"searcher at {self.target}: {status}"

    async def strategies(self) -> search_pb2.ListStrategiesResponse:
        """What the searcher can play. Raises grpc.aio.AioRpcError."""
        request = search_pb2.ListStrategiesRequest()
        response: search_pb2.ListStrategiesResponse = await self._list_strategies(
            request, timeout=_LIST_TIMEOUT
        )
        return response


def _channel(target: str) -> grpc.aio.Channel:
    if not target.startswith(_TLS):
        return grpc.aio.insecure_channel(target, options=_OPTIONS)
    # Without a port gRPC takes that of HTTPS. Certificates are checked against well-known authorities, or
    # those of the file that GRPC_DEFAULT_SSL_ROOTS_FILE_PATH names.
    address = f"dns:///{target.removeprefix(_TLS).rstrip('/')}"
    return grpc.aio.secure_channel(address, grpc.ssl_channel_credentials(), options=_OPTIONS)
