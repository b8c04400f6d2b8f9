"""KEDA's external scaler over gRPC."""

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

import aiohttp
import grpc
import grpc.aio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from battlesnake_search.common.cli import nearest, stopping
from battlesnake_search.common.health import HealthService
from battlesnake_search.common.logs import get_logger
from battlesnake_search.common.peers import SHARE, ConnectionBounds, OpenConnections, address_of
from battlesnake_search.common.sockets import escaped
from battlesnake_search.common.sparse import sparse_libraries
from battlesnake_search.contract import externalscaler_pb2 as messages
from battlesnake_search.contract import externalscaler_pb2_grpc
from gateway.scaler.gateways import Address, Periods, Reader, Watcher

SEARCHES = "searches"
"""The name of the metric: the number of concurrent searches for which moves are waiting."""

SEARCHES_PER_POD = "searchesPerPod"

DEFAULT_SEARCHES_PER_POD = 2.0
"""One search for each core of a pod with two cores, so that every search reaches its full depth."""

_OF_KEDA = ("caCert", "enableTLS", "scalerAddress", "tlsClientCert", "tlsClientKey", "unsafeSsl")
"""The fields for KEDA itself. KEDA passes them on."""


class MetadataError(ValueError):
    """An invalid field; the message names it and the valid values."""


def searches_per_pod(metadata: Mapping[str, str]) -> float:
    """Return the number of concurrent searches of a pod. Raises MetadataError."""
    for name in sorted(metadata):
        if name not in (SEARCHES_PER_POD, *_OF_KEDA):
            raise MetadataError(f"{name}: no such field{_near(name)}; valid: {SEARCHES_PER_POD}")
    text = metadata.get(SEARCHES_PER_POD, "")
    if not text:
        return DEFAULT_SEARCHES_PER_POD
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    # The autoscaler's numbers have three decimals, so less would be 0.
    if not 0.001 <= number < math.inf:
        raise MetadataError(f"{SEARCHES_PER_POD}: {text!r} is invalid; valid: a number of 0.001 or more")
    return number


def _near(name: str) -> str:
    near = nearest(name, [SEARCHES_PER_POD, *_OF_KEDA])
    return f", did you mean {near}?" if near else ""


_Context = grpc.aio.ServicerContext[Any, Any]

_MOST_FAULTS = 3
"""The most gateways in an error."""


MOST_STREAMS = 200
"""The most streams of StreamIsActive. KEDA has one for each ScaledObject."""


class Streams:
    """The open streams, of which one address may have the share SHARE. A Unix socket has no address."""

    def __init__(self) -> None:
        self._by_address: Counter[str] = Counter()

    def refusal(self, address: str) -> str:
        """Return the reason to refuse another stream, or an empty text."""
        most = int(SHARE * MOST_STREAMS)
        if address and self._by_address[address] >= most:
            return f"too many streams: one address may have {most}"
        if self._by_address.total() >= MOST_STREAMS:
            return f"too many streams: all callers together may have {MOST_STREAMS}"
        return ""

    @contextmanager
    def counted(self, address: str) -> Iterator[None]:
        """Count a stream until it ends."""
        self._by_address[address] += 1
        try:
            yield
        finally:
            self._by_address[address] -= 1
            self._by_address += Counter()  # only positive counts stay


class ScalerService(externalscaler_pb2_grpc.ExternalScalerServicer):
    """The service that answers from a watcher's data.

    Invalid metadata is INVALID_ARGUMENT. While no gateway answers, the load is UNAVAILABLE, because KEDA
    would stop the searchers if the load were zero.
    """

    def __init__(self, watcher: Watcher, connections: OpenConnections) -> None:
        self._watcher = watcher
        self._connections = connections
        self._streams = Streams()

    async def IsActive(
        self, request: messages.ScaledObjectRef, context: _Context
    ) -> messages.IsActiveResponse:
        """Answer whether searchers should run."""
        await self._target(request, context)
        is_active = self._watcher.is_active
        if is_active is None:
            await self._abort(context)
        return messages.IsActiveResponse(result=is_active)

    async def StreamIsActive(
        self, request: messages.ScaledObjectRef, context: _Context
    ) -> AsyncIterator[messages.IsActiveResponse]:
        """Send whether searchers should run, at first and after each change."""
        await self._target(request, context)
        peer = context.peer()
        address = address_of(peer)
        if refusal := self._streams.refusal(address):
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, refusal)
        with self._streams.counted(address), self._connections.calling(peer, ""):
            async for is_active in self._watcher.activity():
                yield messages.IsActiveResponse(result=is_active)

    async def GetMetricSpec(
        self, request: messages.ScaledObjectRef, context: _Context
    ) -> messages.GetMetricSpecResponse:
        """Answer with the scaler's only metric, and its target for each pod."""
        target = await self._target(request, context)
        spec = messages.MetricSpec(metric_name=SEARCHES, target_size_float=target)
        return messages.GetMetricSpecResponse(metric_specs=[spec])

    async def GetMetrics(
        self, request: messages.GetMetricsRequest, context: _Context
    ) -> messages.GetMetricsResponse:
        """Answer with the number of concurrent searches for which moves are waiting."""
        await self._target(request.scaled_object_ref, context)
        if request.metric_name != SEARCHES:
            reason = f"metricName: there is no {request.metric_name!r}; valid: {SEARCHES}"
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, reason)
        load = self._watcher.load
        if load is None:
            return await self._abort(context)
        value = messages.MetricValue(metric_name=SEARCHES, metric_value_float=load.searches)
        return messages.GetMetricsResponse(metric_values=[value])

    async def _abort(self, context: _Context) -> NoReturn:
        """End a call while the load is unknown."""
        faults = self._watcher.faults
        more = [f"and {len(faults) - _MOST_FAULTS} more"] if len(faults) > _MOST_FAULTS else []
        reasons = "; ".join([*faults[:_MOST_FAULTS], *more]) or "none has answered yet"
        await context.abort(grpc.StatusCode.UNAVAILABLE, f"no gateway answers: {reasons}")

    async def _target(self, request: messages.ScaledObjectRef, context: _Context) -> float:
        """Return the number of concurrent searches of a pod; abort a call with invalid metadata."""
        with self._connections.calling(context.peer(), ""):
            try:
                return searches_per_pod(request.scaler_metadata)
            except MetadataError as error:
                await context.abort(grpc.StatusCode.INVALID_ARGUMENT, f"scalerMetadata.{error}")


log = get_logger(__name__)

_CLOSE_GRACE = 0.5
"""Seconds for calls to end."""

# KEDA's calls have some hundred bytes.
LARGEST_MESSAGE = 64 * 1024
LARGEST_METADATA = 8 * 1024
"""The largest message and the largest headers of a call, in bytes."""

_OPTIONS = (
    # Another process on the port is an error, because both would share the calls.
    ("grpc.so_reuseport", 0),
    # Without pings, a lost caller would hold its stream forever.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.max_receive_message_length", LARGEST_MESSAGE),
    ("grpc.max_metadata_size", LARGEST_METADATA),
    ("grpc.absolute_max_metadata_size", LARGEST_METADATA),
    ("grpc.max_allowed_incoming_connections", 128),
    ("grpc.max_concurrent_streams", 50),
    ("grpc.server_handshake_timeout_ms", 10_000),
    ("grpc.http2.settings_timeout", 10_000),
)

MOST_CALLS = 1_000
"""The most calls at the same time. The connections of one address may carry four fifths of them."""

CONNECTIONS = ConnectionBounds(32, silence=60.0)


async def serve(listen: str, names: Iterable[Address], token: Callable[[], str], periods: Periods) -> None:
    """Serve until SIGTERM or SIGINT. Raises OSError if it can't listen at the address `listen`.

    `names` are the names of gateways, and `token` returns their token.
    """
    ending = stopping()
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        watcher = Watcher(names, Reader(session, token), periods)
        connections = OpenConnections(CONNECTIONS)
        server, port = await _started(listen, watcher, connections)
        watching = asyncio.create_task(watcher.run())
        closing = asyncio.create_task(connections.watch((port,)))
        try:
            with sparse_libraries():
                await asyncio.wait((watching, ending), return_when=asyncio.FIRST_COMPLETED)
        finally:
            watcher.close()
            watching.cancel()
            closing.cancel()
            await server.stop(_CLOSE_GRACE)
        with suppress(asyncio.CancelledError):
            await watching


async def _started(
    listen: str, watcher: Watcher, connections: OpenConnections
) -> tuple[grpc.aio.Server, int]:
    """Return a listening server and its port. Raises OSError if it can't listen."""
    server = grpc.aio.server(options=_OPTIONS, maximum_concurrent_rpcs=MOST_CALLS)
    service = ScalerService(watcher, connections)
    externalscaler_pb2_grpc.add_ExternalScalerServicer_to_server(service, server)
    status = HealthService()
    status.set("", health_pb2.HealthCheckResponse.SERVING)
    health_pb2_grpc.add_HealthServicer_to_server(status, server)
    try:
        port = server.add_insecure_port(escaped(listen))
    except RuntimeError as error:
        # gRPC gives no reason.
        raise OSError(
            f"can't listen on {listen}: another program listens there, or it is no address of this machine"
        ) from error
    await server.start()
    log.info(f"serving on {listen.rpartition(':')[0]}:{port}")
    return server, port
