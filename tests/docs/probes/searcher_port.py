"""One step more of each input of a searcher's port, and of its addresses for probes and Prometheus."""

import asyncio
import socket
from collections.abc import Callable, Sequence
from contextlib import ExitStack

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from battlesnake_search.contract import search_pb2 as pb
from battlesnake_search.contract import search_pb2_grpc
from battlesnake_search.serving import metrics_port, port
from battlesnake_search.serving.call_bounds import Bytes
from battlesnake_search.serving.errors import ExceededLimitError
from battlesnake_search.serving.port import PortSettings
from searcher.errors import InvalidRequestError, Violations
from searcher.serving.metrics import Metrics
from searcher.serving.scheduling import deadlines
from tests.battlesnake_search.serving import test_hoarding, test_limits, test_messages, test_metrics_port
from tests.battlesnake_search.serving.guarded import OK, PATIENCE, call_with_message, code_of, search, serving
from tests.battlesnake_search.serving.test_hoarding import ACKNOWLEDGEMENT, EXHAUSTED
from tests.battlesnake_search.serving.test_port import PREFACE, SETTINGS, connect, is_closed
from tests.docs.bounds import probe, tested
from tests.searcher.fakes import FakeStrategies
from tests.searcher.requests import duel, search_request, snake
from tests.searcher.serving import test_whole_games
from tests.searcher.serving.scheduling import test_admission

INVALID_ARGUMENT = grpc.StatusCode.INVALID_ARGUMENT
SILENT = PREFACE + SETTINGS + ACKNOWLEDGEMENT
ADVANCE, WHOLE_GAME = (f"battlesnake.search.v1.AnalysisService/{name}" for name in ("Advance", "AnalyzeGame"))


async def _codes(method: str, sizes: Sequence[int]) -> list[grpc.StatusCode]:
    """Return the answers to messages of these sizes that have no content."""
    async with serving() as (_, address), grpc.aio.insecure_channel(address) as channel:
        return [await code_of(call_with_message(channel, method)(bytes(size))) for size in sizes]


@probe("battlesnake_search.contract.limits.LARGEST_MESSAGE")
async def _message(most: int) -> None:
    assert await _codes(ADVANCE, (most, most + 1)) == [INVALID_ARGUMENT, EXHAUSTED]


@probe("battlesnake_search.contract.limits.LARGEST_GAME")
async def _game(most: int) -> None:
    assert await _codes(WHOLE_GAME, (most, most + 1)) == [INVALID_ARGUMENT, EXHAUSTED]


@probe("searcher.serving.program.MOST_BYTES")
async def _bytes_of_messages(most: int) -> None:
    held = Bytes(most)
    with held.held("a", most // 2), pytest.raises(ExceededLimitError), held.held("a", 1):
        pass


async def until_left(opened: list[socket.socket], number: int) -> None:
    """Wait until the other side has closed all connections but so many."""
    async with asyncio.timeout(PATIENCE):
        while sum(not is_closed(each) for each in opened) > number:
            await asyncio.sleep(0.05)
    assert sum(not is_closed(each) for each in opened) == number


async def _hoard(constant: str, address_of: Callable[[port.Port], str]) -> None:
    """Open more connections from one address than a port takes, with a bound of 16."""
    with pytest.MonkeyPatch.context() as monkey, ExitStack() as stack:
        monkey.setattr(port, constant, 16)
        async with serving(PortSettings(health="127.0.0.1:0")) as (server, address):
            named = address_of(server.port) or address
            opened = [stack.enter_context(connect(named, SILENT)) for _ in range(17)]
            # Of three quarters, one address keeps half.
            await until_left(opened, 6)


@probe("battlesnake_search.serving.port.MOST_CONNECTIONS")
async def _connections(_most: int) -> None:
    await _hoard("MOST_CONNECTIONS", lambda _port: "")


@probe("battlesnake_search.serving.port.MOST_HEALTH_CONNECTIONS")
async def _health_connections(_most: int) -> None:
    await _hoard("MOST_HEALTH_CONNECTIONS", lambda served: served.health_address)


@probe("battlesnake_search.serving.port.MOST_STREAMS")
async def _calls_of_a_connection(_most: int) -> None:
    with pytest.MonkeyPatch.context() as monkey:
        monkey.setattr(port, "MOST_STREAMS", 3)
        async with serving() as (_, address), grpc.aio.insecure_channel(address) as channel:
            assert (await search(channel)).code == OK
            stub = health_pb2_grpc.HealthStub(channel)
            first, *others = (stub.Watch(health_pb2.HealthCheckRequest()) for _ in range(3))
            for each in (first, *others):
                await each.read()
            waiting = asyncio.ensure_future(stub.Watch(health_pb2.HealthCheckRequest()).read())
            assert not (await asyncio.wait([waiting], timeout=0.5))[0]
            first.cancel()
            await asyncio.wait_for(waiting, PATIENCE)


@probe("battlesnake_search.serving.port.HANDSHAKE_PATIENCE")
async def _seconds_of_a_handshake(_most: float) -> None:
    with pytest.MonkeyPatch.context() as monkey, ExitStack() as stack:
        monkey.setattr(port, "HANDSHAKE_PATIENCE", 0.5)
        async with serving() as (_, address):
            opened = [stack.enter_context(connect(address, sent)) for sent in (b"", PREFACE + SETTINGS)]
            async with asyncio.timeout(5.0):
                await until_left(opened, 0)


@probe("battlesnake_search.serving.port.IDLE")
async def _seconds_after_a_call(_most: float) -> None:
    with pytest.MonkeyPatch.context() as monkey:
        monkey.setattr(port, "IDLE", 0.5)
        async with serving() as (_, address), grpc.aio.insecure_channel(address) as channel:
            assert (await search(channel)).code == OK
            ready = grpc.ChannelConnectivity.READY
            await asyncio.wait_for(channel.wait_for_state_change(ready), PATIENCE)


@probe("searcher.errors.MOST_VIOLATIONS")
async def _violations(most: int) -> None:
    violations = Violations()
    for number in range(most - 1):
        violations.add(str(number), "is invalid")
    with pytest.raises(InvalidRequestError):
        violations.add("one more", "is invalid")
    assert len(violations) == most


@probe("searcher.serving.whole_games.MOST_POSITIONS")
async def _positions(most: int) -> None:
    tiny = pb.Position(you_id="a", board=pb.Board(width=3, height=3, snakes=[snake("a", (1, 1))]))
    async with serving() as (_, address), grpc.aio.insecure_channel(address) as channel:
        for number, fields in ((most, {"avoided_moves[0]"}), (most + 1, {"avoided_moves[0]", "positions"})):
            request = test_whole_games.game(*[tiny] * number, avoided_moves=[9])
            found = await test_whole_games.violations(test_whole_games.Stub(channel).AnalyzeGame(request))
            assert set(found) == fields


@probe("searcher.serving.scheduling.deadlines.LONGEST_UNTIMED")
async def _seconds_of_a_search(_most: float) -> None:
    with pytest.MonkeyPatch.context() as monkey:
        monkey.setattr(deadlines, "LONGEST_UNTIMED", 0.2)
        async with (
            serving(strategies=FakeStrategies()) as (_, address),
            grpc.aio.insecure_channel(address) as channel,
        ):
            call = search_pb2_grpc.SearchServiceStub(channel).Search(search_request(depth=50))
            result = (await asyncio.wait_for(call, PATIENCE)).result
    assert result.stop_reason == pb.STOP_REASON_DEADLINE and result.depth < 50


async def _refusals(*requests: pb.SearchRequest) -> list[bool]:
    """Return whether each request is refused as invalid."""
    async with serving() as (_, address), grpc.aio.insecure_channel(address) as channel:
        codes = [(await search(channel, request=request)).code for request in requests]
    assert set(codes) <= {OK, INVALID_ARGUMENT}
    return [code == INVALID_ARGUMENT for code in codes]


def _request(threads: int = 0) -> pb.SearchRequest:
    return pb.SearchRequest(position=duel(), limits=pb.Limits(depth=1, threads=threads))


@probe("searcher.serving.translate.MAX_THREADS")
async def _threads(most: int) -> None:
    assert await _refusals(_request(threads=most), _request(threads=most + 1)) == [False, True]


@probe("battlesnake_search.contract.limits.MAX_SIDE")
async def _side(most: int) -> None:
    fitting, larger = _request(), _request()
    fitting.position.board.width, larger.position.board.width = most, most + 1
    assert await _refusals(fitting, larger) == [False, True]


@probe("battlesnake_search.contract.limits.MAX_SNAKES")
async def _snakes(most: int) -> None:
    fitting, more = _request(), _request()
    for request, number in ((fitting, most), (more, most + 1)):
        del request.position.board.snakes[:]
        request.position.board.snakes.extend(snake(f"{x}", (x, 0), (x, 1)) for x in range(number))
        request.position.you_id = "0"
    assert await _refusals(fitting, more) == [False, True]


async def _metrics_answer(address: str, head: bytes) -> bytes:
    """Return the answer to a request's head, empty if the connection is closed."""
    host, _, number = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(number))
    writer.write(head)
    async with asyncio.timeout(PATIENCE):
        try:
            return await reader.read()
        except ConnectionError:
            return b""
        finally:
            writer.close()


@probe("battlesnake_search.serving.metrics_port.LARGEST_HEAD")
async def _head_of_a_scrape(most: int) -> None:
    metrics, begin = Metrics(), b"GET /metrics HTTP/1.1\r\nX: "
    await metrics.ports.listen("127.0.0.1:0")
    with pytest.MonkeyPatch.context() as monkey:
        # The connection must end because of the size.
        monkey.setattr(metrics_port, "PATIENCE", 10 * PATIENCE)
        for size, status in ((most, b"HTTP/1.1 200"), (most + 1, b"")):
            head = begin + b"x" * (size - len(begin)) + b"\r\n\r\n"
            assert (await _metrics_answer(metrics.ports.addresses[0], head))[:12] == status
    await metrics.ports.close()


tested(
    "battlesnake_search.serving.interceptor.MOST_READERS", test_hoarding.test_silent_calls_give_way_to_others
)
tested("battlesnake_search.serving.callers.MOST_CALLS", test_hoarding.test_the_streams_of_a_token_are_bounded)
tested(
    "battlesnake_search.serving.callers.MOST_OPEN_CALLS",
    test_limits.test_callers_without_a_token_share_a_bound,
)
tested(
    "battlesnake_search.serving.callers.MOST_HEALTH_CALLS",
    test_hoarding.test_probes_are_answered_beside_many_watchers,
)
tested("searcher.serving.analysis.MOST_GAMES", test_whole_games.test_too_many_games_are_refused)
tested(
    "searcher.serving.scheduling.admission.MAX_UNTIMED",
    test_admission.test_the_queue_of_untimed_searches_is_bounded,
)
tested(
    "battlesnake_search.serving.metrics_port.PATIENCE", test_metrics_port.test_a_request_has_to_arrive_in_time
)
tested("searcher.serving.program.MOST_BYTES_OF_GAMES", test_hoarding.test_the_bytes_of_games_are_bounded)
tested("searcher.serving.program.MESSAGE_PATIENCE", test_hoarding.test_a_silent_stream_ends)
tested("battlesnake_search.serving.port.LARGEST_METADATA", test_messages.test_metadata_is_bounded)
tested("battlesnake_search.common.peers.SILENCE", test_hoarding.test_connections_without_a_call_end_early)
tested(
    "battlesnake_search.serving.metrics_port.MOST_CONNECTIONS",
    test_metrics_port.test_half_requests_hold_neither_files_nor_threads,
)
