"""Parts of the benchmarks of load balancing: searchers that only wait, and games that only call them."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from statistics import fmean

import grpc.aio

from battlesnake_search.contract import search_pb2, search_pb2_grpc
from searcher.serving.guard.port import PortSettings
from searcher.serving.server import Server
from tests.searcher.fakes import FakeStrategies
from tests.searcher.requests import search_request

TIME = 300
"""Milliseconds for a search."""

PAUSE = 0.05
"""Seconds that a game waits after a failed call."""

SETTLING = 5.0
"""Seconds at the start in which games spread over searchers. Their moves don't count."""

Stub = search_pb2_grpc.SearchServiceStub
Choose = Callable[[], tuple[Stub, Callable[[], None]]]
"""Returns the stub for the next call, and the function to call at its end."""


@dataclass
class Game:
    """The depths of a game's moves, with the times of their ends."""

    depths: list[tuple[float, int]] = field(default_factory=list)

    def mean(self, since: float, until: float) -> float:
        """Return the mean depth of the moves that ended in this period."""
        return fmean(depth for moment, depth in self.depths if since <= moment < until)

    async def play(self, choose: Choose, until: float) -> None:
        """Request one move after another until a time of the monotonic clock. A failed call has depth 0."""
        request: search_pb2.SearchRequest = search_request(milliseconds=TIME)
        while time.monotonic() < until:
            stub, end = choose()
            try:
                result = (await stub.Search(request)).result
                self.depths.append((time.monotonic(), result.depth))
            except grpc.aio.AioRpcError:
                self.depths.append((time.monotonic(), 0))
                await asyncio.sleep(PAUSE)
            finally:
                end()


@asynccontextmanager
async def searcher(
    workers: int, address: str = "127.0.0.1:0", age: float | None = None
) -> AsyncIterator[tuple[Server, str]]:
    """Run a searcher that ends its connections at an age in seconds; yield it and its address."""
    settings = PortSettings(max_connection_age=age)
    server = Server(address, workers, FakeStrategies(depth_seconds=0.003), settings)
    try:
        listening = await server.start()
        await server.warm()
        yield server, listening
    finally:
        await server.stop(0.0)


def demand(server: Server) -> float:
    """Return the time in seconds that searches of a searcher have run and waited so far."""
    return server.port.metrics.searches.demand.seconds
