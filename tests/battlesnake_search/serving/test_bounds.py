"""The bounds of a port, as its connections meet them: their age, their silence, and their port."""

import asyncio
import errno
import socket

import grpc
import pytest

from battlesnake_search.contract import search_pb2 as pb
from battlesnake_search.contract import search_pb2_grpc
from battlesnake_search.serving import port
from battlesnake_search.serving.port import PortSettings
from tests.battlesnake_search.serving.guarded import PATIENCE, calling, serving
from tests.battlesnake_search.serving.test_hoarding import ACKNOWLEDGEMENT
from tests.battlesnake_search.serving.test_port import PREFACE, SETTINGS
from tests.searcher.fakes import FakeStrategies
from tests.searcher.requests import search_request


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
    async with serving(PortSettings(max_connection_age=0.3)) as (_, address):
        assert not await stays_connected(address, PATIENCE)
    async with serving() as (_, address):
        assert await stays_connected(address, 1.0)


async def test_a_search_outlasts_its_connection(logs: None) -> None:
    """A call that is running when its connection reaches the maximum age completes."""
    async with calling(PortSettings(max_connection_age=0.1), FakeStrategies()) as (_, channel):
        search = search_pb2_grpc.SearchServiceStub(channel).Search(search_request(milliseconds=800))
        assert (await search).result.stop_reason == pb.STOP_REASON_DEADLINE


async def test_a_caller_that_does_not_answer_is_disconnected(
    logs: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection without calls is asked now and then; one that answers stays."""
    monkeypatch.setattr(port, "_PING_AFTER", 0.3)
    monkeypatch.setattr(port, "_PING_PATIENCE", 0.7)
    async with serving() as (_, address):
        reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rpartition(":")[2]))
        writer.write(PREFACE + SETTINGS + ACKNOWLEDGEMENT)
        async with asyncio.timeout(PATIENCE):
            await reader.read()
        writer.close()
        assert await stays_connected(address, 2.0)


async def test_no_caller_shares_the_port(logs: None) -> None:
    """Not even a program that is ready to share gets some of the calls."""
    async with serving() as (_, address):
        with socket.socket() as another, pytest.raises(OSError) as caught:
            another.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            another.bind(("127.0.0.1", int(address.rpartition(":")[2])))
    assert caught.value.errno == errno.EADDRINUSE
