"""The standard health service of gRPC. A watcher that does not read its stream delays no other watcher."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, TypeAlias

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

SERVICE = "grpc.health.v1.Health"

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
