"""The age of connections to a server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc

from protos.battlesnake.search.v1 import search_pb2 as pb
from protos.battlesnake.search.v1 import search_pb2_grpc
from searcher.serving.guard.settings import PortSettings
from searcher.serving.server import Server
from tests.searcher.fakes import FakeStrategies
from tests.searcher.requests import search_request

PATIENCE = 20.0
"""Seconds to wait for a connection to end."""


@asynccontextmanager
async def listening(max_connection_age: float | None) -> AsyncIterator[str]:
    """Run a warm server; yield its address."""
    settings = PortSettings(max_connection_age=max_connection_age)
    server = Server("127.0.0.1:0", 1, FakeStrategies(), settings)
    address = await server.start()
    await server.warm()
    yield address
    await server.stop(0.0)


async def stays_connected(address: str, seconds: float) -> bool:
    """Return whether an idle connection lasts so long."""
    async with grpc.aio.insecure_channel(address) as channel:
        await channel.channel_ready()
        try:
            await asyncio.wait_for(channel.wait_for_state_change(grpc.ChannelConnectivity.READY), seconds)
        except TimeoutError:
            return True
        return False


async def test_connections_end_at_their_age(logs: None) -> None:
    """The server closes connections of the maximum age, and keeps them open if there is none."""
    async with listening(0.3) as address:
        assert not await stays_connected(address, PATIENCE)
    async with listening(None) as address:
        assert await stays_connected(address, 1.0)


async def test_a_search_outlasts_its_connection(logs: None) -> None:
    """A call that is running when its connection reaches the maximum age completes."""
    async with listening(0.1) as address, grpc.aio.insecure_channel(address) as channel:
        search = search_pb2_grpc.SearchServiceStub(channel).Search(search_request(milliseconds=800))
        assert (await search).result.stop_reason == pb.STOP_REASON_DEADLINE
