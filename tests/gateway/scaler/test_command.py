"""`python -m gateway scaler`, called as KEDA calls it."""

import asyncio
import signal
import socket
import sys
from collections.abc import Awaitable
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import grpc.aio
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from battlesnake_search.contract import externalscaler_pb2 as messages
from battlesnake_search.contract.externalscaler_pb2_grpc import ExternalScalerStub
from tests.gateway.scaler.gateways import FakeGateway
from tests.gateway.scaler.scaler import PATIENCE, Scaler, ref, scaler


async def refusal(call: Awaitable[object]) -> tuple[grpc.StatusCode, str]:
    """Return the status of a call that fails."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return caught.value.code(), caught.value.details() or ""


async def test_a_game_wakes_the_searchers_and_its_end_lets_them_go() -> None:
    """The stream reports it at once, the metric follows the searches, and activity ends after a cool-down."""
    now = asyncio.get_running_loop().time
    async with FakeGateway() as one, FakeGateway() as two, scaler(one.address, two.address) as under_test:
        stream = under_test.stub.StreamIsActive(ref({}), timeout=PATIENCE)
        assert (await stream.read()).result is False
        assert await under_test.searches() == 0
        began, one.games = now(), 4
        assert (await stream.read()).result is True
        assert now() - began < 5
        await under_test.until(1.9, 2.1)
        two.games = 10
        await under_test.until(6.8, 7.2)
        began, one.games, two.games = now(), 0, 0
        assert await under_test.is_active() is True
        assert (await stream.read()).result is False
        assert now() - began > 0.9
        assert await under_test.is_active() is False
        assert await under_test.searches() == 0


async def test_a_dead_gateway_counts_as_before_for_a_while() -> None:
    """Then it counts as zero while other gateways answer. If no gateway answers, the load is unknown."""
    async with FakeGateway() as one, FakeGateway() as two, scaler(one.address, two.address) as under_test:
        one.games = two.games = 2
        await under_test.until(1.9, 2.1)
        await two.stop()
        await asyncio.sleep(0.5)
        assert await under_test.searches() == pytest.approx(2, abs=0.2)
        await under_test.until(0.9, 1.1)
        assert await under_test.is_active() is True
        await one.stop()
        code, details = await _first_failure(under_test)
        assert code == grpc.StatusCode.UNAVAILABLE
        assert f"{one.address}: can't be reached: connection refused" in details
        assert await refusal(under_test.searches()) == (code, details)
        await one.start()
        await under_test.until(0.9, 1.1)
        assert await under_test.is_active() is True


async def _first_failure(under_test: Scaler) -> tuple[grpc.StatusCode, str]:
    """Return the status of the first failed call of IsActive. The calls before it return true."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                assert await under_test.is_active() is True
            except grpc.aio.AioRpcError as error:
                return error.code(), error.details() or ""
            await asyncio.sleep(0.1)


async def test_bad_requests_are_refused() -> None:
    """Each call names the field and the valid values."""
    async with FakeGateway() as gateway, scaler(gateway.address) as under_test:
        assert await under_test.target() == 2
        assert await under_test.target(searchesPerPod="6.5") == 6.5
        stub, bad = under_test.stub, ref({"searchesPerPod": "some"})
        expected = (
            grpc.StatusCode.INVALID_ARGUMENT,
            "scalerMetadata.searchesPerPod: 'some' is invalid; valid: a number of 0.001 or more",
        )
        for call in (
            stub.IsActive(bad),
            stub.StreamIsActive(bad).read(),
            stub.GetMetricSpec(bad),
            stub.GetMetrics(messages.GetMetricsRequest(scaled_object_ref=bad, metric_name="searches")),
        ):
            assert await refusal(call) == expected
        other = messages.GetMetricsRequest(scaled_object_ref=ref({}), metric_name="games")
        assert await refusal(stub.GetMetrics(other)) == (
            grpc.StatusCode.INVALID_ARGUMENT,
            "metricName: there is no 'games'; valid: searches",
        )


async def test_a_token_is_sent_and_read_again(tmp_path: Path) -> None:
    """Without the right token, the answer to KEDA has the reason."""
    file = tmp_path / "token"
    file.write_text("scaler.wrong\n")
    async with (
        FakeGateway("scaler.right") as gateway,
        scaler(gateway.address, SCALER_TOKEN_FILE=str(file)) as under_test,
    ):
        health = health_pb2_grpc.HealthStub(under_test.channel)
        answer = await health.Check(health_pb2.HealthCheckRequest())
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
        async with asyncio.timeout(PATIENCE):
            while "refuses the token" not in (await refusal(under_test.searches()))[1]:
                await asyncio.sleep(0.1)
        file.write_text("scaler.right\n")
        await under_test.until(0, 0)


async def test_it_ends_streams_properly() -> None:
    """KEDA then calls again at once, without a growing pause."""
    async with FakeGateway() as gateway, scaler(gateway.address) as under_test:
        stream = under_test.stub.StreamIsActive(ref({}), timeout=PATIENCE)
        assert (await stream.read()).result is False
        under_test.process.send_signal(signal.SIGTERM)
        assert await stream.read() == grpc.aio.EOF
        assert await stream.code() == grpc.StatusCode.OK
        assert await asyncio.wait_for(under_test.process.wait(), PATIENCE) == 0


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--gateways", "gateway"], "'gateway' is not an address; valid: host:port, [::1]:port"),
        (["--token-file", "no-such-file"], "no-such-file"),
        (["--listen", "TAKEN"], "can't listen on TAKEN"),
    ],
)
async def test_wrong_options_are_usage_errors(options: list[str], reason: str) -> None:
    """The error names the option and its fault."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = f"127.0.0.1:{server.getsockname()[1]}"
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "gateway", "scaler", *(each.replace("TAKEN", taken) for each in options)),
            stderr=asyncio.subprocess.PIPE,
        )
        _, error = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 2
    assert options[0] in error.decode()
    assert reason.replace("TAKEN", taken) in error.decode()


async def test_the_streams_of_an_address_are_bounded() -> None:
    """One more is refused with the bound, and other calls and the streams go on."""
    own = (("grpc.use_local_subchannel_pool", 1),)
    async with FakeGateway() as gateway, scaler(gateway.address) as under_test, AsyncExitStack() as stack:
        target = under_test.address
        stubs = [
            ExternalScalerStub(
                await stack.enter_async_context(grpc.aio.insecure_channel(target, options=own))
            )
            for _ in range(4)
        ]
        streams = [stubs[number % 4].StreamIsActive(ref({})) for number in range(101)]
        async with asyncio.timeout(PATIENCE):
            await asyncio.wait([asyncio.ensure_future(each.read()) for each in streams])
        refused = [each for each in streams if each.done()]
        assert len(refused) == 1
        assert await refused[0].code() == grpc.StatusCode.RESOURCE_EXHAUSTED
        assert await refused[0].details() == "too many streams: one address may have 100"
        assert await under_test.is_active() is False
        gateway.games = 1
        first = next(each for each in streams if not each.done())
        assert (await asyncio.wait_for(first.read(), PATIENCE)).result is True


async def test_all_healths_are_listed_without_a_line_in_the_log() -> None:
    """The call was answered by an error and a stack trace before."""
    async with FakeGateway() as gateway, scaler(gateway.address) as under_test:
        stub = health_pb2_grpc.HealthStub(under_test.channel)
        for _ in range(20):
            answer = await stub.List(health_pb2.HealthListRequest(), timeout=PATIENCE)
        assert answer.statuses[""].status == health_pb2.HealthCheckResponse.SERVING
        assert b"Traceback" not in await _log(under_test)


async def test_an_unreadable_message_is_logged_without_a_stack_trace() -> None:
    """Strangers can send such messages, and the line has the method."""
    async with FakeGateway() as gateway, scaler(gateway.address) as under_test:
        is_active: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = under_test.channel.unary_unary(
            "/externalscaler.ExternalScaler/IsActive"
        )
        for _ in range(20):
            with pytest.raises(grpc.aio.AioRpcError):
                await is_active(b"\xff\xff\xff\x01", timeout=PATIENCE)
        log = await _log(under_test)
        assert b"ExternalScaler/IsActive" in log
        assert b"Traceback" not in log


async def _log(under_test: Scaler) -> bytes:
    """End the scaler, and return its log."""
    under_test.process.send_signal(signal.SIGTERM)
    assert under_test.process.stderr
    return await asyncio.wait_for(under_test.process.stderr.read(), PATIENCE)
