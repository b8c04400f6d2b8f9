"""A console that serves gateways over gRPC."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import grpc.aio
from prometheus_client import CollectorRegistry

from battlesnake_search.contract import record_pb2_grpc
from console.app import Console
from console.searchers import Searchers
from console.settings import Settings
from console.store.database import OutcomesDatabase


@dataclass(frozen=True)
class ServedConsole:
    """A console with its registry of metrics, at the gRPC target of its port."""

    target: str
    console: Console
    registry: CollectorRegistry


@asynccontextmanager
async def serving(database: OutcomesDatabase, **settings: object) -> AsyncIterator[ServedConsole]:
    """Serve a console with a database and other settings, without reviews."""
    registry = CollectorRegistry()
    chosen = replace(Settings(outcomes=database, reviews=False), **settings)  # type: ignore[arg-type]
    async with Console(chosen, Searchers((), None), registry) as console:
        server = grpc.aio.server()
        record_pb2_grpc.add_RecordServiceServicer_to_server(console.service, server)
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        try:
            yield ServedConsole(f"127.0.0.1:{port}", console, registry)
        finally:
            await server.stop(1.0)
