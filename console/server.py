"""The console as a process: its gRPC port for gateways, and its end by a signal."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from grpc_health.v1 import health_pb2, health_pb2_grpc
from prometheus_client import CollectorRegistry, ProcessCollector

from battlesnake_search.channels import Credentials
from battlesnake_search.common import tracing
from battlesnake_search.common.cli import stopping
from battlesnake_search.common.logs import get_logger
from battlesnake_search.common.memory import returning_memory
from battlesnake_search.common.metrics import BuildInfo, EventLoopMetrics
from battlesnake_search.contract import record_pb2_grpc
from battlesnake_search.serving.metrics_port import MetricsPorts, PortMetrics
from battlesnake_search.serving.port import OPEN_PORT, Port, PortSettings
from battlesnake_search.serving.standard_services import HEALTH_SERVICE, HealthService, Reflection
from console.app import Console
from console.program import CONSOLE
from console.record_service import SERVICE
from console.searchers import Searchers
from console.settings import Settings

log = get_logger(__name__)

_GRACE = 1.0
"""Seconds in which gateways learn what is stored before the port closes."""


async def serve(
    listen: str,
    settings: Settings,
    searcher: str,
    credentials: Credentials | None,
    port_settings: PortSettings = OPEN_PORT,
) -> None:
    """Serve until SIGTERM or SIGINT, or until a fault ends the storing, which is raised.

    Raises ListenError if an address is unavailable, and SettingsError if a file of the port can't be used.
    """
    registry = CollectorRegistry()
    ProcessCollector("console", registry=registry)
    BuildInfo("console", registry)
    tracing.configure("battlesnake-console")
    loop_metrics = EventLoopMetrics("console", registry)
    ports = MetricsPorts(registry, loop_metrics)
    own = (searcher,) if searcher else ()
    stopped = stopping()
    async with (
        returning_memory(),
        loop_metrics.watching(),
        # The addresses are taken before the console opens its database and its pages.
        _bound(Port(listen, port_settings, CONSOLE, PortMetrics("console_record", registry), ports)) as port,
        # Only a gateway can reach its own console.
        Searchers(own, credentials, trusts_gateways=settings.folder is not None) as searchers,
        Console(settings, searchers, registry) as console,
    ):
        record_pb2_grpc.add_RecordServiceServicer_to_server(console.service, port.server)
        port.server.add_generic_rpc_handlers((Reflection((SERVICE, HEALTH_SERVICE)),))
        healths = HealthService()
        for each in port.health_servers:
            health_pb2_grpc.add_HealthServicer_to_server(healths, each)
        for name in ("", SERVICE):
            healths.set(name, health_pb2.HealthCheckResponse.SERVING)
        log.info("console listens", address=await port.start())
        gc.collect()
        gc.freeze()
        failed = asyncio.create_task(console.failed())
        # After a fault, whoever has started this process starts another one.
        await asyncio.wait((stopped, failed), return_when=asyncio.FIRST_COMPLETED)
        failed.cancel()
        await port.stop(_GRACE)
    await asyncio.to_thread(tracing.close)


@asynccontextmanager
async def _bound(port: Port) -> AsyncIterator[Port]:
    """Yield a port that has taken its addresses, and stop it at the end if nothing else has stopped it."""
    try:
        await port.bind()
        yield port
    finally:
        await port.stop(0)
