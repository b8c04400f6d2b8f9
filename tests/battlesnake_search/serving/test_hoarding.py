"""Callers that take as many connections, calls and bytes as they get, and the other callers meanwhile."""

import asyncio
import json
import struct
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from battlesnake_search.common import peers
from battlesnake_search.contract import analysis_pb2, analysis_pb2_grpc, search_pb2_grpc
from battlesnake_search.contract import search_pb2 as pb
from battlesnake_search.serving import callers, interceptor
from battlesnake_search.serving.port import PortSettings
from searcher.serving import server as server_module
from searcher.serving.program import SEARCHER, WHOLE_GAMES
from tests.battlesnake_search.serving.guarded import (
    OK,
    PATIENCE,
    Tokens,
    bearing,
    call_with_message,
    calling,
    code_of,
    health,
    raw_call,
    search,
    serving,
)
from tests.battlesnake_search.serving.test_port import PREFACE, SETTINGS, connect, few_files, is_closed
from tests.searcher.fakes import FakeStrategies
from tests.searcher.requests import duel, search_request
from tests.searcher.serving.test_server import process, until_serving
from tests.support.event_loop import until
from tests.support.logs import capture_logs
from tests.support.searchers import searcher
from tests.support.services import free_port

EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
REFLECTION = "grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
ACKNOWLEDGEMENT = bytes([0, 0, 0, 4, 1, 0, 0, 0, 0])


async def test_silent_connections_do_not_keep_out_others(logs: None) -> None:
    """More connections than the port takes are opened from one address, and a new caller is served."""
    with few_files(300):
        async with serving() as (_, address):
            with ExitStack() as stack, few_files(2000):
                sent = PREFACE + SETTINGS + ACKNOWLEDGEMENT
                opened = [stack.enter_context(connect(address, sent)) for _ in range(200)]
                await until(lambda: sum(map(is_closed, opened)) >= 200 - 56)
                async with asyncio.timeout(PATIENCE), grpc.aio.insecure_channel(address) as channel:
                    # A busy port may end the caller's first connection with the last silent ones.
                    while (await health(channel)).code != OK:
                        await asyncio.sleep(0.1)
                    assert (await search(channel)).code == OK


async def test_connections_without_a_call_end_early(logs: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection with calls stays, between its calls as well."""
    monkeypatch.setattr(peers, "SILENCE", 0.5)
    async with serving() as (server, address), grpc.aio.insecure_channel(address) as channel:
        assert (await search(channel)).code == OK
        with ExitStack() as stack:
            silent = stack.enter_context(connect(address, PREFACE + SETTINGS + ACKNOWLEDGEMENT))
            await until(lambda: is_closed(silent))
        assert channel.get_state() == grpc.ChannelConnectivity.READY
        value = server.metrics.registry.get_sample_value("searcher_connections_closed_total")
        assert value == 1


async def test_the_streams_of_a_token_are_bounded(
    logs: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of the calls may be of one token. The refusal has the bound, and others are served."""
    monkeypatch.setattr(callers, "MOST_CALLS", 20)
    tokens = Tokens(tmp_path / "tokens.toml")
    greedy, other = tokens.put("greedy"), tokens.put("other")
    async with calling(PortSettings(tokens=tokens.path)) as (_, channel):
        streams = [raw_call(channel, REFLECTION)(metadata=bearing(greedy)) for _ in range(15)]
        await until(lambda: sum(stream.done() for stream in streams) >= 5)
        refused = [stream for stream in streams if stream.done()]
        assert {await stream.code() for stream in refused} == {EXHAUSTED}
        assert {await stream.details() for stream in refused} == {
            "too many calls at once: one caller may have 10"
        }
        assert (await search(channel, other)).code == OK
        assert (await health(channel)).code == OK


async def test_a_silent_stream_ends(logs: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time holds for each message of a stream, and not only for the first."""
    hasty = replace(SEARCHER, messages=replace(SEARCHER.messages, patience=0.3))
    monkeypatch.setattr(server_module, "SEARCHER", hasty)
    async with serving() as (_, address), grpc.aio.insecure_channel(address) as channel:
        stream = raw_call(channel, REFLECTION)()
        await stream.write(b"")
        await stream.read()
        assert await asyncio.wait_for(stream.code(), PATIENCE) == grpc.StatusCode.DEADLINE_EXCEEDED
        assert await stream.details() == "no message arrived within 0.3 s"


async def test_silent_calls_give_way_to_others(logs: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages are read of a bounded number of calls, and the silent ones of them are told why they end."""
    monkeypatch.setattr(interceptor, "MOST_READERS", 4)
    async with serving() as (_, address), grpc.aio.insecure_channel(address) as channel:
        silent = [raw_call(channel, REFLECTION)() for _ in range(20)]
        await asyncio.sleep(0.3)
        assert (await search(channel)).code == OK
        ended = [await call.details() for call in silent if call.done()]
        assert set(ended) == {"no message arrived with the call, and too many calls wait for theirs"}


async def test_probes_are_answered_beside_many_watchers(logs: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A further call for the health ends the oldest one, even from the same address."""
    monkeypatch.setattr(callers, "MOST_HEALTH_CALLS", 10)
    async with serving() as (_, address), grpc.aio.insecure_channel(address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        watches = [stub.Watch(health_pb2.HealthCheckRequest()) for _ in range(10)]
        for watch in watches:
            await watch.read()
        assert (await health(channel)).code == OK
        codes = [asyncio.ensure_future(watch.code()) for watch in watches]
        ended, going = await asyncio.wait(codes, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        assert [each.result() for each in ended] == [EXHAUSTED]
        for each in going:
            each.cancel()


async def test_the_bytes_of_games_are_bounded(logs: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of them may be of one caller. A game that ends makes room, and a move needs none."""
    game = analysis_pb2.AnalyzeGameRequest(limits=pb.Limits(depth=90))
    game.positions.add().position.CopyFrom(duel())
    bounds = replace(SEARCHER.messages_of[WHOLE_GAMES], of_running_calls=5 * game.ByteSize())
    monkeypatch.setattr(server_module, "SEARCHER", replace(SEARCHER, messages_of={WHOLE_GAMES: bounds}))
    async with calling(strategies=FakeStrategies(0.02)) as (_, channel):
        stub = analysis_pb2_grpc.AnalysisServiceStub(channel)
        running = [stub.AnalyzeGame(game) for _ in range(2)]
        await asyncio.sleep(0.3)
        refused = stub.AnalyzeGame(game)
        assert await asyncio.wait_for(refused.code(), PATIENCE) == EXHAUSTED
        assert f"no room for {game.ByteSize()} bytes" in await refused.details()
        assert (await search(channel)).code == OK
        running[0].cancel()
        async with asyncio.timeout(PATIENCE):
            while (again := stub.AnalyzeGame(game)) and await _is_refused(again):
                await asyncio.sleep(0.05)


async def _is_refused(call: grpc.aio.UnaryStreamCall[object, object]) -> bool:
    done, _ = await asyncio.wait([asyncio.ensure_future(call.code())], timeout=0.5)
    return bool(done)


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """Return a frame of HTTP/2."""
    return struct.pack("!I", len(payload))[1:] + struct.pack("!BBI", kind, flags, stream) + payload


def call_of(*headers: bytes, method: bytes = b"Check", settings: bytes = SETTINGS) -> bytes:
    """Return a whole call for the health with more headers, on a connection of its own."""
    path, kind = b"/grpc.health.v1.Health/" + method, b"application/grpc"
    head = b"\x83\x86\x01\x01x\x04" + bytes([len(path)]) + path + b"\x0f\x10" + bytes([len(kind)]) + kind
    head += b"\x00\x02te\x08trailers" + b"".join(headers)
    return PREFACE + settings + ACKNOWLEDGEMENT + frame(1, 4, 1, head) + frame(0, 1, 1, bytes(5))


def watching() -> bytes:
    """Return a whole call of Watch, on a connection whose streams have no window for answers."""
    return call_of(method=b"Watch", settings=frame(4, 0, 0, struct.pack("!HI", 4, 0)))


async def test_a_signal_ends_a_searcher_whatever_its_callers_hold() -> None:
    """Searches of a minute, games, silent streams and watchers that read nothing are ended in 5 s."""
    address = f"127.0.0.1:{free_port()}"
    game = analysis_pb2.AnalyzeGameRequest(limits=pb.Limits(depth=90))
    game.positions.add().position.CopyFrom(duel())
    long = search_request()
    long.limits.time.seconds = 60
    with process(address) as searcher, ExitStack() as stack:
        async with grpc.aio.insecure_channel(address) as channel:
            await until_serving(channel)
            for _ in range(50):
                stack.enter_context(connect(address, watching()))
                stack.enter_context(connect(address, b"PRI"))
            held = [
                *[raw_call(channel, REFLECTION)() for _ in range(100)],
                *[analysis_pb2_grpc.AnalysisServiceStub(channel).AnalyzeGame(game) for _ in range(50)],
                *[search_pb2_grpc.SearchServiceStub(channel).Search(long) for _ in range(4)],
            ]
            await asyncio.sleep(0.5)
            searcher.terminate()
            # The time is 4.5 s, and some more on a busy machine.
            assert await asyncio.to_thread(searcher.wait, 7.0) == 0
            for call in held:
                call.cancel()


def header(name: bytes, value: bytes) -> bytes:
    """Return a header in the form that no table keeps."""
    return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value


async def test_strangers_write_few_lines(
    compiled: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hundreds of invalid calls have some lines in the log, and each line is JSON."""
    monkeypatch.delenv("GRPC_VERBOSITY", raising=False)
    address, log = f"127.0.0.1:{free_port()}", tmp_path / "log"
    odd = (
        call_of(header(b"x", b"\xff\xfe")),
        call_of(header(b"authorization", b"Bearer \xff.x")),
        call_of(header(b"grpc-timeout", b"never")),
        call_of(header(b"traceparent", b"00-zz-zz-zz")),
        call_of(header(b"x-bin", b"!!!!")),
        call_of(header(b"grpc-encoding", b"none-such")),
        call_of(header(b"UPPER", b"x")),
        call_of(*[header(b"key%d" % number, b"value") for number in range(500)]),
        PREFACE + SETTINGS + frame(1, 4, 1, b"\xff\xff\xff\xff\xff\xff"),
    )
    unknown = "none.Such/Method", "grpc.health.v1.Health/None", "grpc.health.v1.Health/List"
    async with searcher(address, log=log), grpc.aio.insecure_channel(address) as channel:
        for _ in range(20):
            with ExitStack() as stack:
                for sent in odd:
                    stack.enter_context(connect(address, sent))
                for method in unknown:
                    await code_of(call_with_message(channel, method)(b"\xff"))
                await asyncio.sleep(0.05)
        assert (await health(channel)).code == OK
    lines = log.read_text().splitlines()
    assert len(lines) < 40 and all(map(json.loads, lines))


async def test_all_healths_are_listed(logs: None) -> None:
    """The call was answered by an error, with a stack trace in the log, before."""
    with capture_logs() as events:
        async with serving() as (_, address), grpc.aio.insecure_channel(address) as channel:
            answer = await health_pb2_grpc.HealthStub(channel).List(health_pb2.HealthListRequest())
    assert set(answer.statuses) >= {"", "battlesnake.search.v1.SearchService"}
    assert not [event for event in events if event["log_level"] == "error"]
