"""The standard services of gRPC: the health, and server reflection in both of its versions.

A watcher of the health that does not read its stream delays no other watcher. The versions of reflection
differ only in their names. Callers call v1 first, and newer callers only v1, but grpcio-reflection has only
v1alpha.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from functools import cached_property
from typing import Any, TypeAlias

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

HEALTH_SERVICE = "grpc.health.v1.Health"

_Status: TypeAlias = "health_pb2.HealthCheckResponse.ServingStatus"
_Context = grpc.aio.ServicerContext[Any, Any]


class HealthService(health_pb2_grpc.HealthServicer):  # type: ignore[misc]
    """The status of each service by its name. The empty name stands for the whole server."""

    def __init__(self) -> None:
        self._statuses: dict[str, _Status] = {}
        self._news = asyncio.Event()

    def set(self, name: str, status: _Status) -> None:
        """Set the status of a service, and tell its watchers."""
        self._statuses[name] = status
        self._news.set()
        self._news = asyncio.Event()

    async def Check(
        self, request: health_pb2.HealthCheckRequest, context: _Context
    ) -> health_pb2.HealthCheckResponse:
        """Answer with the status of a service. An unknown service is NOT_FOUND."""
        status = self._statuses.get(request.service)
        if status is None:
            await context.abort(grpc.StatusCode.NOT_FOUND, "no service of this server has the name")
        return health_pb2.HealthCheckResponse(status=status)

    async def List(
        self, request: health_pb2.HealthListRequest, context: _Context
    ) -> health_pb2.HealthListResponse:
        """Answer with the statuses of all services."""
        found = {
            name: health_pb2.HealthCheckResponse(status=status) for name, status in self._statuses.items()
        }
        return health_pb2.HealthListResponse(statuses=found)

    async def Watch(
        self, request: health_pb2.HealthCheckRequest, context: _Context
    ) -> AsyncIterator[health_pb2.HealthCheckResponse]:
        """Send the status of a service, at first and after each change."""
        sent: _Status | None = None
        while True:
            news = self._news
            status = self._statuses.get(request.service, health_pb2.HealthCheckResponse.SERVICE_UNKNOWN)
            if status != sent:
                sent = status
                yield health_pb2.HealthCheckResponse(status=status)
            await news.wait()


_PREFIX = "/grpc.reflection."
_ALPHA = "v1alpha"
_V1 = "v1"


class Reflection(grpc.GenericRpcHandler):
    """Handles the calls of reflection. They describe these services and reflection itself."""

    def __init__(self, services: Iterable[str]) -> None:
        self._services = tuple(services)

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> "grpc.RpcMethodHandler[Any, Any] | None":
        """Return the handler of a call, or None for a call of another service."""
        method = handler_call_details.method
        return self._handlers.get(method) if method.startswith(_PREFIX) else None

    @cached_property
    def _handlers(self) -> "Mapping[str, grpc.RpcMethodHandler[Any, Any]]":
        # Reflection is seldom called, and its import takes time at the start.
        from grpc_reflection.v1alpha import reflection, reflection_pb2

        _describe_v1()
        names = (reflection.SERVICE_NAME, reflection.SERVICE_NAME.replace(_ALPHA, _V1))
        handler = grpc.stream_stream_rpc_method_handler(
            reflection.aio.ReflectionServicer((*self._services, *names)).ServerReflectionInfo,
            request_deserializer=reflection_pb2.ServerReflectionRequest.FromString,
            response_serializer=reflection_pb2.ServerReflectionResponse.SerializeToString,
        )
        return {f"/{name}/ServerReflectionInfo": handler for name in names}


def _describe_v1() -> None:
    """Add the description of v1 to reflection's descriptions."""
    from google.protobuf import descriptor_pb2, descriptor_pool, text_format
    from grpc_reflection.v1alpha import reflection_pb2

    alpha = descriptor_pb2.FileDescriptorProto()
    reflection_pb2.DESCRIPTOR.CopyToProto(alpha)
    text = text_format.MessageToString(alpha).replace(_ALPHA, _V1)
    v1 = text_format.Parse(text, descriptor_pb2.FileDescriptorProto())
    descriptor_pool.Default().AddSerializedFile(v1.SerializeToString())
