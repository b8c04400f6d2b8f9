"""A searcher with fake strategies that listens on the loopback interface."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator

import grpc
import pytest

from battlesnake_search.contract import search_pb2_grpc
from searcher.serving.server import Server
from tests.searcher.fakes import FakeStrategies
from tests.support.event_loop import loop_factories
from tests.support.logs import capture_logs

WORKERS = 2


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Run asynchronous tests in the event loop of the service."""
    return loop_factories()


@pytest.fixture
def strategies() -> FakeStrategies:
    """The strategies of the server; their record has the searches that ran."""
    return FakeStrategies()


@pytest.fixture
def logs() -> Iterator[None]:
    """Keeps what the server logs."""
    with capture_logs():
        yield


@pytest.fixture
async def server(logs: None, strategies: FakeStrategies) -> AsyncIterator[Server]:
    """A server that is not started."""
    server = Server("127.0.0.1:0", WORKERS, strategies)
    yield server
    await server.stop(grace=0.0)


@pytest.fixture
async def channel(server: Server) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to the server, which is started and warm."""
    address = await server.start()
    await server.warm()
    async with grpc.aio.insecure_channel(address) as channel:
        yield channel


@pytest.fixture
def stub(channel: grpc.aio.Channel) -> search_pb2_grpc.SearchServiceStub:
    """A stub of the service, which is started and warm."""
    return search_pb2_grpc.SearchServiceStub(channel)
