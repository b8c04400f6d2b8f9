"""Bytes of callers that are no message, or no call."""

import asyncio
import gc
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2
from prometheus_client import CollectorRegistry

from battlesnake_search.contract import analysis_pb2
from battlesnake_search.contract import search_pb2 as pb
from battlesnake_search.serving.callers import Callers
from battlesnake_search.serving.interceptor import Guard
from battlesnake_search.serving.metrics_port import PortMetrics
from battlesnake_search.serving.port import PortSettings
from searcher.serving.program import SEARCHER
from tests.battlesnake_search.serving.guarded import (
    Tokens,
    bearing,
    call_with_message,
    code_of,
    raw_call,
    serving,
)
from tests.searcher.requests import duel, search_request, stream_request
from tests.support import grpc_server
from tests.support.logs import capture_logs

INVALID = grpc.StatusCode.INVALID_ARGUMENT
_SEARCH, _ANALYSIS = "battlesnake.search.v1.SearchService", "battlesnake.search.v1.AnalysisService"
_REFLECTION = "grpc.reflection.v1.ServerReflection/ServerReflectionInfo"

REQUESTS = {
    f"{_SEARCH}/Search": search_request(depth=1).SerializeToString(),
    f"{_SEARCH}/StreamSearch": stream_request(search_request(depth=1)).SerializeToString(),
    f"{_SEARCH}/ListStrategies": pb.ListStrategiesRequest().SerializeToString(),
    f"{_ANALYSIS}/AnalyzeGame": analysis_pb2.AnalyzeGameRequest(
        positions=[analysis_pb2.GamePosition(position=duel())], limits=pb.Limits(depth=1), ownership=True
    ).SerializeToString(),
    f"{_ANALYSIS}/Evaluate": analysis_pb2.EvaluateRequest(position=duel()).SerializeToString(),
    f"{_ANALYSIS}/Advance": analysis_pb2.AdvanceRequest(
        position=duel(), moves={"me": pb.DIRECTION_UP, "you": pb.DIRECTION_UP}
    ).SerializeToString(),
    "grpc.health.v1.Health/Check": health_pb2.HealthCheckRequest(service="").SerializeToString(),
    _REFLECTION: reflection_pb2.ServerReflectionRequest(list_services="x").SerializeToString(),
    _REFLECTION.replace("v1", "v1alpha"): reflection_pb2.ServerReflectionRequest(
        file_containing_symbol="grpc.health.v1.Health"
    ).SerializeToString(),
}
"""A valid request of each method that ends."""


@pytest.fixture
async def channel(logs: None) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to a searcher without TLS and tokens."""
    async with serving() as (_, address), grpc.aio.insecure_channel(address) as channel:
        yield channel


@pytest.mark.parametrize("method", REQUESTS)
async def test_bytes_that_are_no_message_are_invalid(channel: grpc.aio.Channel, method: str) -> None:
    """The error names the method, and nothing of the code behind it."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        async for _ in call_with_message(channel, method)(b"\xff\xff"):
            pass
    assert caught.value.code() == INVALID
    assert caught.value.details() == f"the request is no valid message for {method}"


async def test_metadata_is_bounded(channel: grpc.aio.Channel) -> None:
    """A token and a trace fit. Beyond 8 KiB, no call of many gets through by chance."""
    method = f"{_SEARCH}/ListStrategies"
    for size, code in (
        (7_500, grpc.StatusCode.OK),
        (8_200, grpc.StatusCode.RESOURCE_EXHAUSTED),
        (12_000, grpc.StatusCode.RESOURCE_EXHAUSTED),
        (40_000, grpc.StatusCode.RESOURCE_EXHAUSTED),
    ):
        padding = (("x-padding", size * "x"),)
        calls = [call_with_message(channel, method)(REQUESTS[method], metadata=padding) for _ in range(20)]
        assert {await code_of(call) for call in calls} == {code}, size


async def test_a_call_needs_a_message(channel: grpc.aio.Channel) -> None:
    """A caller that ends its call without one is told so."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        async for _ in raw_call(channel, f"{_SEARCH}/Search")(iter(())):
            pass
    assert (caught.value.code(), caught.value.details()) == (INVALID, "the call has no message")


async def test_the_time_counts_from_the_call(channel: grpc.aio.Channel) -> None:
    """The caller's clock runs while its message is on the way, so the searcher's does too."""

    async def late() -> AsyncIterator[bytes]:
        await asyncio.sleep(1.0)
        yield REQUESTS[f"{_SEARCH}/Search"]

    async for answered in raw_call(channel, f"{_SEARCH}/Search")(late()):
        elapsed = pb.SearchResponse.FromString(answered).result.elapsed
        # A busy machine may notice the call late.
        assert elapsed.ToMilliseconds() >= 300


@pytest.mark.parametrize(
    ("method", "message", "token", "code"),
    [
        ("ListStrategies", b"", True, grpc.StatusCode.OK),
        ("ListStrategies", b"\xff", True, INVALID),
        ("StreamSearch", b"\xff", True, INVALID),
        ("ListStrategies", b"", False, grpc.StatusCode.UNAUTHENTICATED),
        ("StreamSearch", b"", False, grpc.StatusCode.UNAUTHENTICATED),
    ],
)
async def test_a_call_is_forgotten(
    tmp_path: Path, method: str, message: bytes, token: bool, code: grpc.StatusCode
) -> None:
    """The call ends with its message, without a garbage collection, and its refusal is no fault."""
    tokens = Tokens(tmp_path / "tokens.toml")
    bearer = bearing(tokens.put("bot"))
    gc.collect()
    gc.disable()
    try:
        with capture_logs() as events:
            async with (
                serving(PortSettings(tokens=tokens.path)) as (_, address),
                grpc.aio.insecure_channel(address) as channel,
            ):
                call = call_with_message(channel, f"{_SEARCH}/{method}")
                for _ in range(10):
                    assert await code_of(call(message, metadata=bearer if token else ())) == code
                kept = [each for each in gc.get_objects() if type(each).__name__ == "_MessageReceiver"]
    finally:
        gc.enable()
    # The server may still be ending the last call.
    assert len(kept) <= 1
    assert not [event for event in events if event["log_level"] == "error"]


async def test_a_fault_of_a_service_stays_in_the_log() -> None:
    """The caller reads neither the name of an exception nor its text."""

    async def fail(message: bytes, context: object) -> bytes:
        raise RuntimeError("a secret")

    guard = Guard(SEARCHER, Callers(SEARCHER), PortMetrics("searcher", CollectorRegistry()))
    server = grpc_server.server([guard])
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(fail)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("test.Service", {"Fail": handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    with capture_logs() as events:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            call = call_with_message(channel, "test.Service/Fail")(b"x")
            assert await code_of(call) == grpc.StatusCode.INTERNAL
            assert await call.details() == "the call failed; the searcher's log has the reason"
        await server.stop(0.0)
    assert [str(event["exc_info"]) for event in events if event["event"] == "call failed"] == ["a secret"]
