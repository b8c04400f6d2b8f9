"""Calls of a searcher with fake strategies."""

import asyncio

import grpc

from battlesnake_search.contract import search_pb2_grpc
from tests.searcher.fakes import FakeStrategies

Stub = search_pb2_grpc.SearchServiceStub


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
