"""The client of a searcher, over real gRPC."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import grpc.aio
import pytest
import trustme
from google.protobuf import any_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from battlesnake_search import searcher_client as client
from battlesnake_search.contract import search_pb2, search_pb2_grpc
from battlesnake_search.searcher_client import SERVICE, SearcherClient, SearchReply
from searcher.serving.server import Server
from tests.battlesnake_search.samples import deadlines_in
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import Context, Script, ScriptedService, response
from tests.searcher.fakes import FakeStrategies
from tests.searcher.requests import duel
from tests.support import grpc_server
from tests.support.certificates import server_credentials
from tests.support.event_loop import until
from tests.support.processes import usage

SLOW = 2.0
"""Seconds: more than a busy machine adds, and far less than the minute that some searches here would take."""


async def _ask(target: str, search: float = 0.3, answer: float = 0.4) -> tuple[SearchReply, float]:
    """Return the reply, and the seconds that it took."""
    now = asyncio.get_running_loop().time
    async with SearcherClient(target) as searcher:
        started = now()
        reply = await searcher.search(search_pb2.StreamSearchRequest(), deadlines_in(search, answer))
        return reply, now() - started


async def _ask_scripted(script: Script, search: float = 0.3) -> tuple[SearchReply, float, ScriptedService]:
    service = ScriptedService(script)
    async with scripted_searcher.searcher(service) as target:
        reply, seconds = await _ask(target, search, search + 0.1)
    return reply, seconds, service


async def test_the_final_answer_is_returned_at_once() -> None:
    """A search that ends early is answered early."""
    reply, seconds, _ = await _ask_scripted(scripted_searcher.at_once, search=10)
    assert reply.result is not None
    assert (reply.result.move, reply.final, reply.failures) == (search_pb2.DIRECTION_UP, True, [])
    assert seconds < SLOW


@pytest.mark.parametrize("bridges", [True, False])
async def test_the_default_strategy_bridges_the_time_of_compiling(bridges: bool) -> None:
    """With `bridges` the default strategy's result comes in the same call, and without it no result comes."""
    service = ScriptedService(scripted_searcher.compiling)
    request = search_pb2.StreamSearchRequest()
    request.strategy.search, request.strategy.evaluator = "paranoid", "area"
    async with scripted_searcher.searcher(service) as target, SearcherClient(target) as searcher:
        reply = await searcher.search(request, deadlines_in(0.5, 0.6), bridges=bridges)
    assert (reply.result is not None) is bridges
    assert all(failure.is_compiling for failure in reply.failures)
    if bridges:
        assert [each.strategy.evaluator for each in service.requests] == ["area", ""]
        assert [failure.details for failure in reply.failures] == ["still compiling paranoid/area"]


async def test_hurried_searches_return_what_has_arrived() -> None:
    """A running search and a later search end earlier. A search with an earlier end is unchanged."""
    service = ScriptedService(scripted_searcher.one_depth_then_silence)
    async with scripted_searcher.searcher(service) as target, SearcherClient(target) as searcher:

        async def ask(seconds: float) -> SearchReply:
            return await searcher.search(search_pb2.StreamSearchRequest(), deadlines_in(seconds, seconds))

        running = asyncio.create_task(ask(60))
        await until(lambda: service.requests)
        searcher.hurry(0.5)
        async with asyncio.timeout(2 * SLOW):
            replies = await asyncio.gather(running, ask(60), ask(0.3))
    for reply in replies:
        assert reply.result is not None and not reply.final
        assert reply.result.move == search_pb2.DIRECTION_RIGHT


async def test_a_search_gets_all_of_its_time() -> None:
    """A searcher's margin before the call's own deadline doesn't shorten a search."""
    strategies = FakeStrategies()
    server = Server("127.0.0.1:0", 1, strategies)
    async with SearcherClient(await server.start()) as searcher:
        await server.warm()
        deadlines = deadlines_in(0.3, 0.3)
        await searcher.search(search_pb2.StreamSearchRequest(position=duel()), deadlines)
    await server.stop(0.0)
    assert strategies.record.clocks[0].deadline >= deadlines.search - 0.001


async def test_the_best_so_far_is_returned_at_the_deadline() -> None:
    """A depth that has arrived is kept when the searcher falls silent."""
    reply, seconds, _ = await _ask_scripted(scripted_searcher.one_depth_then_silence)
    assert reply.result is not None
    assert (reply.result.move, reply.final) == (search_pb2.DIRECTION_RIGHT, False)
    assert 0.3 <= seconds < SLOW


async def test_the_best_so_far_survives_a_crash() -> None:
    """After an error in mid-search the depth that has arrived is kept, and the call is not retried."""
    reply, seconds, service = await _ask_scripted(scripted_searcher.one_depth_then_crash, search=10)
    assert reply.result is not None and reply.result.move == search_pb2.DIRECTION_RIGHT
    assert [failure.code for failure in reply.failures] == [grpc.StatusCode.INTERNAL]
    assert len(service.requests) == 1 and seconds < SLOW


async def test_a_searcher_that_never_answers_is_abandoned_at_the_deadline() -> None:
    """Without any answer the reply is on time and has no result."""
    reply, seconds, _ = await _ask_scripted(scripted_searcher.never)
    assert reply.result is None and not reply.final
    assert 0.3 <= seconds < SLOW


@pytest.mark.parametrize("code", [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED])
async def test_a_refused_call_is_retried_with_the_time_left(code: grpc.StatusCode) -> None:
    """A temporary refusal is retried, each time with a shorter time limit."""
    reply, _, service = await _ask_scripted(scripted_searcher.refusing(code, times=2))
    limits = [request.limits.time.ToMicroseconds() for request in service.requests]
    assert reply.final and [failure.code for failure in reply.failures] == [code, code]
    assert len(limits) == 3 and limits == sorted(limits, reverse=True) and len(set(limits)) == 3


async def test_a_searcher_that_becomes_ready_is_asked_again_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A search that was refused while the searcher was NOT_SERVING does not sit out its pause."""
    monkeypatch.setattr(client, "_FIRST_BACKOFF", 20.0)
    service = ScriptedService(scripted_searcher.refusing(grpc.StatusCode.UNAVAILABLE, times=1))
    server, checks = grpc_server.server(), health.aio.HealthServicer()
    search_pb2_grpc.add_SearchServiceServicer_to_server(service, server)
    health_pb2_grpc.add_HealthServicer_to_server(checks, server)
    target = f"unix:{tmp_path}/s.sock"
    server.add_insecure_port(target)
    await server.start()
    async with SearcherClient(target) as searcher:
        searcher.reconnect()
        request = search_pb2.StreamSearchRequest()
        searching = asyncio.create_task(searcher.search(request, deadlines_in(20.0, 20.0)))
        await until(lambda: service.requests)
        await asyncio.sleep(0.1)
        assert not searching.done()
        await checks.set(SERVICE, health_pb2.HealthCheckResponse.SERVING)
        reply = await asyncio.wait_for(searching, SLOW)
    await server.stop(None)
    assert reply.final and len(reply.failures) == 1


async def test_a_client_may_close_while_it_waits_for_its_searcher() -> None:
    """Neither a searcher that is not SERVING nor one that is not there keeps a client open."""
    unready = ScriptedService(scripted_searcher.at_once)
    status = health_pb2.HealthCheckResponse.NOT_SERVING
    async with scripted_searcher.searcher(unready, status=status) as target:
        for each in (target, "127.0.0.1:1"):
            searcher = SearcherClient(each)
            for _ in range(2):
                searcher.reconnect()
                await asyncio.sleep(0.1)
            await asyncio.wait_for(searcher.retire(), SLOW)
            await searcher.close()


def _asking_to_wait(seconds: float) -> Script:
    """Return a script that asks its first caller to retry later."""
    first = scripted_searcher.refusing(grpc.StatusCode.RESOURCE_EXHAUSTED, times=1)
    info, detail = error_details_pb2.RetryInfo(), any_pb2.Any()
    info.retry_delay.FromMicroseconds(int(seconds * 1e6))
    detail.Pack(info)
    status = status_pb2.Status(code=code_pb2.RESOURCE_EXHAUSTED, message="not now", details=[detail])

    async def script(
        request: search_pb2.StreamSearchRequest, context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        context.set_trailing_metadata(rpc_status.to_status(status).trailing_metadata)
        async for answer in first(request, context):
            yield answer

    return script


async def test_a_searcher_is_asked_again_when_it_wants_to_be() -> None:
    """The client retries at the time that the refusal names."""
    reply, seconds, service = await _ask_scripted(_asking_to_wait(0.25), search=5)
    assert [failure.retry_after for failure in reply.failures] == [0.25]
    assert reply.final and len(service.requests) == 2
    assert 0.25 <= seconds < SLOW


async def test_a_searcher_that_wants_too_long_a_pause_is_not_asked_again() -> None:
    """If the time is up before the searcher would answer, the reply comes at once, without a result."""
    reply, seconds, service = await _ask_scripted(_asking_to_wait(60), search=10)
    assert reply.result is None and len(service.requests) == 1 and seconds < SLOW


async def test_an_invalid_request_is_not_retried() -> None:
    """A permanent refusal is not retried."""
    script = scripted_searcher.refusing(grpc.StatusCode.INVALID_ARGUMENT, times=9)
    reply, seconds, service = await _ask_scripted(script, search=10)
    assert [failure.details for failure in reply.failures] == ["not now"]
    assert len(service.requests) == 1 and seconds < SLOW


async def test_a_shallower_second_attempt_does_not_replace_the_deeper_first() -> None:
    """The deepest result of all attempts is kept."""
    depths = iter([5, 2])

    async def script(
        _request: search_pb2.StreamSearchRequest, context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        depth = next(depths)
        yield scripted_searcher.response(search_pb2.DIRECTION_UP, depth)
        if depth == 5:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "gone")

    reply, _, service = await _ask_scripted(script)
    assert reply.result is not None and reply.result.depth == 5
    assert len(service.requests) == 2


@pytest.mark.parametrize(
    ("target", "cause"),
    [
        ("127.0.0.1:1", "nothing listens there"),
        ("unix:/no/such.sock", "nothing listens there"),
        ("nowhere.invalid:50051", "the name has no address"),
    ],
)
async def test_a_missing_connection_has_its_cause_in_words(target: str, cause: str) -> None:
    """Users see neither the addresses nor the internal errors of gRPC."""
    async with SearcherClient(target) as searcher:
        assert await searcher.trouble() == f"searcher at {target}: UNAVAILABLE: no connection: {cause}"


async def test_a_failed_handshake_names_its_cause() -> None:
    """A port without TLS and a certificate of strangers are different causes."""
    service = ScriptedService(scripted_searcher.at_once)
    async with (
        scripted_searcher.searcher(service) as plain,
        scripted_searcher.searcher(service, credentials=server_credentials(trustme.CA())) as secure,
        SearcherClient(f"grpcs://127.0.0.1:{plain.rpartition(':')[2]}") as searcher,
        # Where localhost has two addresses, the last error may be about the other one.
        SearcherClient(f"grpcs://127.0.0.1:{secure.rpartition(':')[2]}") as stranger,
    ):
        assert "no connection: the port speaks no TLS" in await searcher.trouble()
        assert "the certificate is not by an accepted authority" in await stranger.trouble()


async def test_a_searcher_with_tls_asks_for_a_target_with_tls() -> None:
    """A connection without TLS is closed by the other side at once."""
    async with (
        scripted_searcher.searcher(
            ScriptedService(scripted_searcher.at_once), credentials=server_credentials(trustme.CA())
        ) as target,
        SearcherClient(f"127.0.0.1:{target.rpartition(':')[2]}") as searcher,
    ):
        assert (await searcher.trouble()).endswith(
            "no connection: the other side closed it. For a searcher with TLS, begin the target with grpcs://"
        )


async def test_no_time_means_no_call() -> None:
    """With less time than a searcher accepts, no call is made."""
    service = ScriptedService(scripted_searcher.at_once)
    async with scripted_searcher.searcher(service) as target:
        reply, _ = await _ask(target, search=0.001, answer=0.002)
    assert reply == SearchReply() and service.requests == []


async def test_a_cancelled_search_is_cancelled_at_the_searcher() -> None:
    """At the deadline the call is cancelled at the searcher too."""
    ended = asyncio.Event()
    script = scripted_searcher.setting(ended, scripted_searcher.never)
    async with scripted_searcher.searcher(ScriptedService(script)) as target:
        await _ask(target, 0.1, 0.15)
        await asyncio.wait_for(ended.wait(), 5)


async def test_a_retired_channel_closes_after_its_last_search() -> None:
    """Searches in progress get their answers, including their retries. Then the channel is closed."""
    script = scripted_searcher.refusing(grpc.StatusCode.UNAVAILABLE, times=3)
    async with (
        scripted_searcher.searcher(ScriptedService(script)) as target,
        SearcherClient(target) as searcher,
    ):
        request = search_pb2.StreamSearchRequest()
        searching = asyncio.create_task(searcher.search(request, deadlines_in(5, 5)))
        await asyncio.sleep(0.02)
        await asyncio.wait_for(searcher.retire(), 5)
        assert searching.done() and (await searching).final
        with pytest.raises(grpc.aio.UsageError):
            await searcher.search(request, deadlines_in(60, 60))


async def test_closing_ends_the_search() -> None:
    """Closing the iterator ends its search."""
    ended = asyncio.Event()
    script = scripted_searcher.setting(ended, scripted_searcher.one_depth_then_silence)
    async with (
        scripted_searcher.searcher(ScriptedService(script)) as target,
        SearcherClient(target) as client,
    ):
        found = client.depths(search_pb2.StreamSearchRequest(), 60.0)
        assert (await anext(found)).result.depth == 1
        await found.aclose()
        await asyncio.wait_for(ended.wait(), 5)


SEARCHES, AT_ONCE = 400, 20
LARGE = 100_000
"""Bytes of a response, large enough that a leak of a few searches is measurable."""


async def endless(
    request: search_pb2.StreamSearchRequest, context: Context
) -> AsyncIterator[search_pb2.StreamSearchResponse]:
    """Send one large response after another."""
    large = response(search_pb2.DIRECTION_UP)
    large.result.strategy.search = "x" * LARGE
    while True:
        yield large
        await asyncio.sleep(0.001)


async def test_searches_that_run_out_of_time_leave_no_memory_behind() -> None:
    """The responses that are still on their way at the deadline are freed."""
    async with (
        scripted_searcher.searcher(ScriptedService(endless)) as target,
        SearcherClient(target) as searcher,
    ):

        async def search() -> None:
            await searcher.search(search_pb2.StreamSearchRequest(), deadlines_in(0.02, 0.03))

        async def grown_by_all() -> float:
            before = usage(os.getpid()).megabytes
            for _ in range(SEARCHES // AT_ONCE):
                await asyncio.gather(*(search() for _ in range(AT_ONCE)))
            # The last calls end a little later than their searches.
            await asyncio.sleep(0.5)
            return usage(os.getpid()).megabytes - before

        # The allocator grows at first and at times. A leak adds up every time.
        growth = [await grown_by_all() for _ in range(3)]
        assert min(growth) < SEARCHES * LARGE / 1e6 / 4, growth
