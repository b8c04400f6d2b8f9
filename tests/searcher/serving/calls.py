"""Calls of a searcher in this process, by default with fake strategies."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from battlesnake_search.contract import search_pb2_grpc
from searcher.interface import StrategyProvider
from searcher.serving.server import Server
from tests.searcher.fakes import FakeStrategies

Stub = search_pb2_grpc.SearchServiceStub


@asynccontextmanager
async def serving(
    strategies: StrategyProvider | None = None, workers: int = 1
) -> AsyncIterator[tuple[Server, grpc.aio.Channel]]:
    """Yield a warm searcher, and a channel to it."""
    server = Server("127.0.0.1:0", workers, strategies or FakeStrategies())
    async with grpc.aio.insecure_channel(await server.start()) as channel:
        await server.warm()
        yield server, channel
    await server.stop(0.0)


def violations_in(error: grpc.aio.AioRpcError) -> dict[str, str]:
    """Return what the error of an invalid request says about its fields."""
    assert error.code() == grpc.StatusCode.INVALID_ARGUMENT
    detail, status = error_details_pb2.BadRequest(), rpc_status.from_call(error)
    assert status.details[0].Unpack(detail)
    return {each.field: each.description for each in detail.field_violations}


async def code_of(call: "grpc.aio.UnaryUnaryCall[object, object]") -> grpc.StatusCode:
    """Return the status code of a call."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return error.code()
    return grpc.StatusCode.OK


async def until_searching(strategies: FakeStrategies, count: int = 1) -> None:
    """Wait until this number of searches run."""
    async with asyncio.timeout(5):
        while strategies.record.running < count:
            await asyncio.sleep(0.001)
