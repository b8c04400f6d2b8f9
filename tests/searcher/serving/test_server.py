"""The server as its environment sees it: addresses, health, reflection, signals."""

import asyncio
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2

from battlesnake_search.contract import search_pb2 as pb
from battlesnake_search.contract import search_pb2_grpc
from battlesnake_search.serving.address import ListenError
from searcher.interface import Progress
from searcher.serving import server as server_module
from searcher.serving.server import LAYOUTS, CompileLog, Server, serve
from searcher.serving.service import SERVICE
from tests.searcher.fakes import FakeStrategies, warm_up_at_once
from tests.searcher.requests import search_request
from tests.support.clock import Clock
from tests.support.logs import capture_logs

ROOT = Path(__file__).parents[3]

PATIENCE = 20.0
"""Seconds to wait for a process."""

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


async def healths(channel: grpc.aio.Channel) -> list[int]:
    """Return the health of the whole server and of the service."""
    stub = health_pb2_grpc.HealthStub(channel)
    names = ("", SERVICE)
    return [(await stub.Check(health_pb2.HealthCheckRequest(service=name))).status for name in names]


async def search_code(channel: grpc.aio.Channel) -> grpc.StatusCode:
    """Return the status code of a small search."""
    try:
        await search_pb2_grpc.SearchServiceStub(channel).Search(search_request(depth=1))
    except grpc.aio.AioRpcError as error:
        return error.code()
    return grpc.StatusCode.OK


async def test_it_serves_once_warm(logs: None, strategies: FakeStrategies) -> None:
    """A server that warms up is NOT_SERVING and refuses searches with UNAVAILABLE; a warm one is SERVING."""
    may_warm = threading.Event()

    def warm_when_allowed(progress: Progress) -> None:
        may_warm.wait(PATIENCE)
        warm_up_at_once(progress)

    server = Server("127.0.0.1:0", 1, FakeStrategies(warm_up=warm_when_allowed))
    async with grpc.aio.insecure_channel(await server.start()) as channel:
        warming = asyncio.create_task(server.warm())
        await asyncio.sleep(0.05)
        assert await healths(channel) == [NOT_SERVING, NOT_SERVING]
        assert await search_code(channel) == grpc.StatusCode.UNAVAILABLE
        may_warm.set()
        await warming
        assert await healths(channel) == [SERVING, SERVING]
        assert await search_code(channel) == grpc.StatusCode.OK
    await server.stop(0.0)


async def test_the_code_that_is_compiled_is_listed(logs: None) -> None:
    """The list has the latest step and the numbers of functions, until nothing is left to compile."""
    may_end = threading.Event()

    def compile_slowly(progress: Progress) -> None:
        progress("compiled one", 1, 3)
        may_end.wait(PATIENCE)
        progress("compiled three", 3, 3)

    server = Server("127.0.0.1:0", 1, FakeStrategies(warm_up=compile_slowly))
    async with grpc.aio.insecure_channel(await server.start()) as channel:
        stub = search_pb2_grpc.SearchServiceStub(channel)
        assert not (await stub.ListStrategies(pb.ListStrategiesRequest())).HasField("compilation")
        warming = asyncio.create_task(server.warm())
        async with asyncio.timeout(PATIENCE):
            while not (listed := await stub.ListStrategies(pb.ListStrategiesRequest())).compilation.done:
                await asyncio.sleep(0.01)
        now = listed.compilation
        assert (now.step, now.done, now.total) == ("compiled one", 1, 3)
        assert 0 <= now.elapsed.ToMilliseconds() < PATIENCE * 1000
        may_end.set()
        await warming
        assert not (await stub.ListStrategies(pb.ListStrategiesRequest())).HasField("compilation")
    await server.stop(0.0)


async def test_it_refuses_while_draining(server: Server, channel: grpc.aio.Channel) -> None:
    """A draining server is NOT_SERVING and refuses new requests, but completes accepted ones."""
    accepted = search_pb2_grpc.SearchServiceStub(channel).Search(search_request(milliseconds=400))
    await asyncio.sleep(0.1)
    draining = asyncio.create_task(server.stop(5.0))
    await asyncio.sleep(0.05)
    assert await healths(channel) == [NOT_SERVING, NOT_SERVING]
    assert await search_code(channel) == grpc.StatusCode.UNAVAILABLE
    assert (await accepted).result.stop_reason == pb.STOP_REASON_DEADLINE
    await draining


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
async def test_reflection_describes_every_service(channel: grpc.aio.Channel, version: str) -> None:
    """A client without the protos can discover the services and their calls with either version."""
    own = f"grpc.reflection.{version}.ServerReflection"
    reflect = channel.stream_stream(
        f"/{own}/ServerReflectionInfo",
        request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
        response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
    )

    async def ask(**question: str) -> reflection_pb2.ServerReflectionResponse:
        return await anext(aiter(reflect(iter([reflection_pb2.ServerReflectionRequest(**question)]))))

    listed = await ask(list_services="")
    names = {service.name for service in listed.list_services_response.service}
    services = {f"battlesnake.search.v1.{name}" for name in ("SearchService", "AnalysisService")}
    assert names >= {*services, "grpc.health.v1.Health", own}
    for name in names:
        described = (await ask(file_containing_symbol=name)).file_descriptor_response
        files = [FileDescriptorProto.FromString(file) for file in described.file_descriptor_proto]
        assert name in {f"{file.package}.{service.name}" for file in files for service in file.service}


@asynccontextmanager
async def listening(address: str) -> AsyncIterator[str]:
    """Run a warm server at an address; yield the bound address."""
    server = Server(address, 1, FakeStrategies())
    bound = await server.start()
    await server.warm()
    yield bound
    await server.stop(0.0)


async def test_a_stale_socket_file_is_replaced(logs: None, tmp_path: Path) -> None:
    """The socket file of a killed server does not prevent listening."""
    path = tmp_path / "searcher.sock"
    with socket.socket(socket.AF_UNIX) as left_behind:
        left_behind.bind(str(path))
    async with listening(f"unix:{path}") as bound, grpc.aio.insecure_channel(bound) as channel:
        assert await search_code(channel) == grpc.StatusCode.OK


async def refusal(address: str) -> str:
    """Return the error for an address that can't be listened on."""
    with pytest.raises(ListenError) as caught:
        async with listening(address):
            pass
    return str(caught.value)


async def test_an_address_in_use_is_refused(logs: None, tmp_path: Path) -> None:
    """Two servers never share a socket. A port in use ends a process."""
    async with listening(f"unix:{tmp_path / 'searcher.sock'}") as bound:
        assert "another server listens there" in await refusal(bound)


async def test_an_unusable_path_is_refused(logs: None, tmp_path: Path) -> None:
    """An existing file isn't replaced, and a missing folder isn't created."""
    (tmp_path / "notes.txt").write_text("mine")
    assert "is not a socket" in await refusal(f"unix:{tmp_path / 'notes.txt'}")
    assert "no folder" in await refusal(f"unix:{tmp_path / 'nowhere' / 'searcher.sock'}")
    assert (tmp_path / "notes.txt").read_text() == "mine"


@contextmanager
def process(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run a searcher with fake strategies as a process."""
    command = [sys.executable, "-m", "tests.searcher.serving.fake_server", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as searcher:
        yield searcher
        searcher.kill()


async def until_serving(channel: grpc.aio.Channel) -> None:
    """Wait until the server is SERVING."""
    stub = health_pb2_grpc.HealthStub(channel)
    async with asyncio.timeout(PATIENCE):
        while True:
            answer = await stub.Check(health_pb2.HealthCheckRequest(), wait_for_ready=True)
            if answer.status == SERVING:
                return
            await asyncio.sleep(0.01)


async def test_a_signal_drains_and_ends_the_process(tmp_path: Path) -> None:
    """Running and waiting requests are completed, then the process ends with 0."""
    address = f"unix:{tmp_path / 'searcher.sock'}"
    with process(address) as searcher:
        async with grpc.aio.insecure_channel(address) as channel:
            await until_serving(channel)
            stub = search_pb2_grpc.SearchServiceStub(channel)
            searches = [stub.Search(search_request(milliseconds=500)) for _ in range(4)]
            await asyncio.sleep(0.1)
            searcher.send_signal(signal.SIGINT)
            reasons = [(await search).result.stop_reason for search in searches]
            assert set(reasons) == {pb.STOP_REASON_DEADLINE}
        _, errors = await asyncio.to_thread(searcher.communicate, timeout=PATIENCE)
        assert searcher.returncode == 0
    said = re.search(rf"serving on {address}, 3 workers, warm in ([0-9.]+) s", errors)
    assert said and float(said[1]) < PATIENCE


async def test_a_long_search_is_stopped_when_draining(tmp_path: Path) -> None:
    """A search that would outlast the grace returns its last completed depth."""
    address = f"unix:{tmp_path / 'searcher.sock'}"
    with process(address) as searcher:
        async with grpc.aio.insecure_channel(address) as channel:
            await until_serving(channel)
            request = search_request()
            request.limits.time.seconds = 60
            search = search_pb2_grpc.SearchServiceStub(channel).Search(request)
            await asyncio.sleep(0.1)
            begin = time.monotonic()
            searcher.terminate()
            result = (await search).result
            assert time.monotonic() - begin < PATIENCE
        assert (result.stop_reason, result.depth > 0) == (pb.STOP_REASON_CANCELLED, True)
        assert await asyncio.to_thread(searcher.wait, PATIENCE) == 0


async def test_a_signal_ends_a_warm_up(tmp_path: Path) -> None:
    """The process ends without waiting for its warm-up."""
    address = f"unix:{tmp_path / 'searcher.sock'}"
    with process(address, "60") as searcher:
        async with grpc.aio.insecure_channel(address) as channel:
            await asyncio.wait_for(channel.channel_ready(), PATIENCE)
            searcher.terminate()
        assert await asyncio.to_thread(searcher.wait, PATIENCE) == 0


async def test_a_port_in_use_ends_the_process(logs: None) -> None:
    """The process prints one line with the address and the reason, and ends with 2."""
    async with listening("127.0.0.1:0") as bound:
        with process(bound) as searcher:
            _, errors = await asyncio.to_thread(searcher.communicate, timeout=PATIENCE)
            assert searcher.returncode == 2
    assert errors.startswith(f"Error: cannot listen on {bound}: Address already in use. Stop the program")


def test_a_machine_that_lacks_a_feature_of_the_target_serves_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Compiled code would end the process without a word."""
    monkeypatch.setattr(server_module, "TARGET", "x86-64-v3")
    monkeypatch.setattr(server_module, "lacking_features", {"x86-64-v3": ("avx2", "fma")}.get)
    with pytest.raises(SystemExit) as ended:
        serve("127.0.0.1:0")
    assert ended.value.code == 2
    said = "Error: SEARCHER_CPU is x86-64-v3, but this machine lacks avx2, fma\n"
    assert capsys.readouterr().err == said


async def test_a_failed_warm_up_ends_the_process() -> None:
    """The process logs the error and ends with 1, which a supervisor notices."""
    with process("127.0.0.1:0", "fail") as searcher:
        _, errors = await asyncio.to_thread(searcher.communicate, timeout=PATIENCE)
        assert searcher.returncode == 1
    assert "warm-up failed" in errors
    assert "no compiler" in errors


def test_a_line_every_few_seconds_is_enough() -> None:
    """The first and the last part are logged at level info, and between them at most one each 10 seconds."""
    clock = Clock()
    progress = CompileLog(lambda *_: None, clock, is_searching=lambda: True)
    with capture_logs() as lines:
        for done in range(25):
            clock.seconds = float(done)
            progress(f"part {done}", done, 24)
    assert [line["done"] for line in lines if line["log_level"] == "info"] == [0, 10, 20, 24]
    assert len(lines) == 25
    texts = [LAYOUTS[line["event"]](line) for line in lines]
    assert (texts[0], texts[-1]) == ("part 0 (0 of 24); moves are searched", "part 24 (24 of 24)")
