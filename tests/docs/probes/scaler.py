"""One step more of each input of the scaler's port."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace

import aiohttp
import grpc
import grpc.aio
import pytest

from battlesnake_search.common.peers import OpenConnections
from battlesnake_search.contract import externalscaler_pb2 as messages
from battlesnake_search.contract.externalscaler_pb2_grpc import ExternalScalerStub
from gateway.scaler import service
from gateway.scaler.gateways import Periods, Reader, Watcher
from tests.docs.bounds import probe
from tests.docs.probes.searcher_port import SILENT, until_left
from tests.gateway.scaler.scaler import ref
from tests.searcher.serving.calls import code_of
from tests.searcher.serving.guard.guarded import OK, PATIENCE
from tests.searcher.serving.guard.test_hoarding import EXHAUSTED
from tests.searcher.serving.guard.test_port import connect


@asynccontextmanager
async def _serving() -> AsyncIterator[tuple[str, ExternalScalerStub]]:
    """Run a scaler that knows no gateway; yield its address and a stub."""
    async with aiohttp.ClientSession() as session:
        watcher = Watcher([], Reader(session, str), Periods())
        connections = OpenConnections(service.CONNECTIONS)
        server, port = await service._started("127.0.0.1:0", watcher, connections)
        watching = asyncio.create_task(connections.watch((port,)))
        try:
            async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
                yield f"127.0.0.1:{port}", ExternalScalerStub(channel)
        finally:
            watching.cancel()
            watcher.close()
            await server.stop(0.0)


async def _refusal(stub: ExternalScalerStub, number: int) -> str:
    """Open streams of which one is refused. Return its text."""
    streams = [stub.StreamIsActive(ref({})) for _ in range(number)]
    codes = [asyncio.ensure_future(stream.code()) for stream in streams]
    done, _ = await asyncio.wait(codes, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
    await asyncio.sleep(0.1)
    assert [code.result() for code in done] == [EXHAUSTED]
    [refused] = [stream for stream in streams if stream.done()]
    for stream in streams:
        stream.cancel()
    await asyncio.wait(codes)
    return str(await refused.details())


@probe("gateway.scaler.service.MOST_STREAMS")
async def _streams(most: int) -> None:
    async with _serving() as (_, stub):
        with pytest.MonkeyPatch.context() as monkey:
            monkey.setattr(service, "MOST_STREAMS", 8)
            assert await _refusal(stub, 5) == "too many streams: one address may have 4"
    streams = service.Streams()
    with ExitStack() as stack:
        for number in range(most):
            assert not streams.refusal(f"192.0.2.{number % 4}")
            stack.enter_context(streams.counted(f"192.0.2.{number % 4}"))
        assert f"all callers together may have {most}" in streams.refusal("192.0.2.5")


@probe("gateway.scaler.service.MOST_CALLS")
async def _calls(_most: int) -> None:
    with pytest.MonkeyPatch.context() as monkey:
        monkey.setattr(service, "MOST_CALLS", 3)
        async with _serving() as (_, stub):
            assert await _refusal(stub, 4)


@probe("gateway.scaler.service.LARGEST_MESSAGE")
async def _message(most: int) -> None:
    async with _serving() as (_, stub):
        for size, code in ((most, OK), (most + 1, EXHAUSTED)):
            # Besides the name, the message has the name's number and length.
            sent = messages.ScaledObjectRef(name="x" * (size - 4))
            assert sent.ByteSize() == size
            assert await code_of(stub.GetMetricSpec(sent)) == code


@probe("gateway.scaler.service.LARGEST_METADATA")
async def _metadata(most: int) -> None:
    async with _serving() as (_, stub):
        for size, code in ((most - 700, OK), (most + 1, EXHAUSTED)):
            padding = (("x-padding", size * "x"),)
            assert await code_of(stub.GetMetricSpec(ref({}), metadata=padding)) == code


@probe("gateway.scaler.service.CONNECTIONS.most")
async def _connections(most: int) -> None:
    async with _serving() as (address, _):
        with ExitStack() as stack:
            opened = [stack.enter_context(connect(address, SILENT)) for _ in range(most // 2 + 1)]
            await until_left(opened, most // 2)


@probe("gateway.scaler.service.CONNECTIONS.silence")
async def _seconds_without_a_call(_most: float) -> None:
    with pytest.MonkeyPatch.context() as monkey, ExitStack() as stack:
        monkey.setattr(service, "CONNECTIONS", replace(service.CONNECTIONS, silence=0.5))
        async with _serving() as (address, _):
            await until_left([stack.enter_context(connect(address, SILENT))], 0)
