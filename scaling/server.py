"""The scaler as a gRPC server that serves until it is told to end."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress

import aiohttp
import grpc.aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from battlesnake_search.contract import externalscaler_pb2_grpc
from commandline.signals import stopping
from commandline.structlog_alone import structlog
from scaling.addresses import Address
from scaling.reader import Reader
from scaling.service import ScalerService
from scaling.watcher import Periods, Watcher

log = structlog.get_logger(__name__)

_CLOSE_GRACE = 0.5
"""Seconds in which calls may end."""

_OPTIONS = (
    # Another process on the port is an error, and not somebody to share it with.
    ("grpc.so_reuseport", 0),
    # A caller that vanished in silence holds its stream no longer than this.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
)


async def serve(listen: str, names: Iterable[Address], token: Callable[[], str], periods: Periods) -> None:
    """Serve until SIGTERM or SIGINT. Raises OSError if it can't listen there.

    `names` are those of gateways, and `token` returns the one that they ask for.
    """
    ending = stopping()
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        watcher = Watcher(names, Reader(session, token), periods)
        server = await _started(listen, watcher)
        watching = asyncio.create_task(watcher.run())
        try:
            await asyncio.wait((watching, ending), return_when=asyncio.FIRST_COMPLETED)
        finally:
            watcher.close()
            watching.cancel()
            await server.stop(_CLOSE_GRACE)
        with suppress(asyncio.CancelledError):
            await watching


async def _started(listen: str, watcher: Watcher) -> grpc.aio.Server:
    """Return a server that listens. Raises OSError if it can't."""
    server = grpc.aio.server(options=_OPTIONS)
    externalscaler_pb2_grpc.add_ExternalScalerServicer_to_server(ScalerService(watcher), server)
    status = health.aio.HealthServicer()
    await status.set("", health_pb2.HealthCheckResponse.SERVING)
    health_pb2_grpc.add_HealthServicer_to_server(status, server)
    try:
        port = server.add_insecure_port(listen)
    except RuntimeError as error:
        raise OSError(f"can't listen on {listen}") from error
    await server.start()
    log.info(f"serving on {listen.rpartition(':')[0]}:{port}")
    return server
