"""The calls of the service, over a real connection."""

import asyncio
import time

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from protos.battlesnake.search.v1 import search_pb2 as pb
from protos.battlesnake.search.v1 import search_pb2_grpc
from searcher.engine.result import StopReason
from searcher.serving import service
from searcher.serving.scheduling.margins import MOST_MARGIN
from searcher.serving.scheduling.timetable import MIN_SHARE, Allowance
from searcher.serving.service import DEFAULT_TIME, LONGEST_UNTIMED, timetable_entry
from searcher.serving.translate import task_of
from tests.searcher.fakes import OFFER, FakeStrategies
from tests.searcher.requests import search_request, stream_request

pytestmark = pytest.mark.alone
LATE = 0.5
"""Seconds, a generous number, by which a loaded machine may respond late."""

ROUNDING = 0.002
"""Seconds by which gRPC may round up the time until a call's deadline."""

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


def time_to_search(strategies: FakeStrategies) -> float:
    """Return the seconds that the last search was given."""
    clock = strategies.record.clocks[-1]
    return clock.deadline - clock.start


async def test_search_responds_once_with_the_result(stub: Stub) -> None:
    """The response to a search has its result and the strategy that was used."""
    result = (await stub.Search(search_request(depth=3))).result
    assert (result.move, result.depth, result.nodes) == (pb.DIRECTION_LEFT, 3, 30)
    assert result.stop_reason == pb.STOP_REASON_DEPTH
    assert dict(result.strategy.weights) == {"space": 1.0, "food": 0.5}
    assert [dict(joint.moves) for joint in result.principal_variation] == [
        {"me": pb.DIRECTION_UP, "you": pb.DIRECTION_UP}
    ] * 3
    assert result.root_moves[0].outcome.kind == pb.OUTCOME_KIND_WIN


async def test_the_elapsed_time_is_that_of_the_call(stub: Stub) -> None:
    """The result tells how long the searcher took: more than nothing, and less than its caller waited."""
    before = time.monotonic()
    result = (await stub.Search(search_request(depth=3))).result
    assert 0 < result.elapsed.ToNanoseconds() / 1e9 <= time.monotonic() - before


async def test_a_stream_responds_as_depths_complete(stub: Stub) -> None:
    """Responses arrive during the search; only the last one is final and has a stop reason."""
    responses = [response async for response in stub.StreamSearch(stream_request(search_request(depth=8)))]
    depths = [response.result.depth for response in responses]
    assert len(depths) > 2
    assert depths == sorted(depths)
    assert depths[-1] == 8
    *parts, last = responses
    assert last.final
    assert last.result.stop_reason == pb.STOP_REASON_DEPTH
    assert not any(response.final or response.result.stop_reason for response in parts)


async def test_a_stream_never_goes_back(stub: Stub, strategies: FakeStrategies) -> None:
    """Of several depths between two responses only the last one is sent."""
    strategies.depth_seconds, depths = 0.001, []
    async for response in stub.StreamSearch(stream_request(search_request(milliseconds=400))):
        depths.append(response.result.depth)
        if len(depths) == 2:
            strategies.depth_seconds = 0.05
    assert depths == sorted(depths)


async def test_list_strategies_names_all(stub: Stub) -> None:
    """The response has the searches, the evaluators, their weights with bounds, and the default strategy."""
    response = await stub.ListStrategies(pb.ListStrategiesRequest())
    assert [search.name for search in response.searches] == ["steady", "broken"]
    assert [evaluator.name for evaluator in response.evaluators] == ["plain", "weighed"]
    weight = response.evaluators[1].weights[1]
    assert (weight.name, weight.default, weight.minimum, weight.maximum) == ("food", 0.5, -1.0, 1.0)
    assert (response.default_strategy.search, response.default_strategy.evaluator) == ("steady", "weighed")


@pytest.mark.parametrize("streamed", [False, True])
async def test_an_invalid_request_names_its_field(stub: Stub, streamed: bool) -> None:
    """The violation is in the BadRequest detail and in the message, for both calls."""
    request = search_request(depth=1)
    request.position.board.snakes[1].body[3].x = 30
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await (stub.StreamSearch(stream_request(request)).read() if streamed else stub.Search(request))
    status = rpc_status.from_call(caught.value)
    assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    detail = error_details_pb2.BadRequest()
    assert status.details[0].Unpack(detail)
    assert detail.field_violations[0].field == "position.board.snakes[1].body[3]"
    assert "(30, 6) is off the 11x11 board" in (caught.value.details() or "")


async def test_many_long_violations_still_arrive(stub: Stub) -> None:
    """However many violations there are, the response fits into gRPC's limit of headers."""
    request = search_request(depth=1)
    request.position.you_id = "\N{SNAKE}" * 3_000
    request.position.board.food.extend([pb.Point(x=-1, y=-1)] * 1_000)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await stub.Search(request)
    assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert "position.board.food[2]" in (caught.value.details() or "")


async def test_time_is_counted_from_arrival(stub: Stub) -> None:
    """A timed search uses its time and responds in time."""
    begin = time.monotonic()
    result = (await stub.Search(search_request(milliseconds=200))).result
    assert 0.15 < time.monotonic() - begin < 0.2 + LATE
    assert result.stop_reason == pb.STOP_REASON_DEADLINE


async def test_without_limits_it_takes_the_default_time(stub: Stub, strategies: FakeStrategies) -> None:
    """A search without a limit or a deadline takes the 400 ms of the contract."""
    await stub.Search(search_request())
    run = await strategies.record.first_run()
    assert DEFAULT_TIME - 0.05 < run.end - run.begin < DEFAULT_TIME + LATE


async def test_without_limits_it_responds_before_the_calls_deadline(stub: Stub) -> None:
    """The call's own deadline is the limit, and the response arrives before it."""
    result = (await stub.Search(search_request(), timeout=0.25)).result
    assert result.stop_reason == pb.STOP_REASON_DEADLINE


async def test_a_search_leaves_time_before_the_calls_deadline(stub: Stub, strategies: FakeStrategies) -> None:
    """With half a second until the call's deadline at least 25 ms are left for the response."""
    await stub.Search(search_request(), timeout=0.5)
    assert time_to_search(strategies) <= 0.5 - 0.025 + ROUNDING


async def test_a_late_response_makes_the_next_search_shorter(stub: Stub, strategies: FakeStrategies) -> None:
    """After a stall that made a response late, the next one on the connection gets the longest margin."""
    asyncio.get_running_loop().call_later(0.2, time.sleep, 0.4)
    await code_of(stub.Search(search_request(), timeout=0.5))
    assert await code_of(stub.Search(search_request(), timeout=0.5)) == grpc.StatusCode.OK
    assert time_to_search(strategies) <= 0.5 - MOST_MARGIN + ROUNDING


async def test_a_search_that_ends_early_leaves_the_margin(stub: Stub, strategies: FakeStrategies) -> None:
    """Only a response after the time of its search tells how late responses are."""
    for _ in range(10):
        begin = time.monotonic()
        await stub.Search(search_request(depth=1), timeout=20.0)
        assert strategies.record.clocks[-1].deadline > begin + 20.0 - MOST_MARGIN + 0.005


def test_a_tokens_longest_search_ends_all_others() -> None:
    """It bounds searches to a depth, and doesn't lengthen those that end before."""
    timed, deep = (
        task_of(each, OFFER) for each in (search_request(milliseconds=500), search_request(depth=9))
    )
    assert timetable_entry(timed, 100.0, None, 0.25).deadline == 100.25
    assert timetable_entry(timed, 100.0, None, 30.0).deadline == 100.5
    assert timetable_entry(deep, 100.0, None, 0.25).deadline == 100.25
    assert timetable_entry(deep, 100.0, None).deadline == 100.0 + LONGEST_UNTIMED


async def test_the_time_asked_for_is_kept_if_the_deadline_allows_it(
    stub: Stub, strategies: FakeStrategies
) -> None:
    """A time limit that ends the longest margin before the call's deadline is not shortened."""
    begin = time.monotonic()
    await stub.Search(search_request(milliseconds=200), timeout=0.2 + MOST_MARGIN)
    assert strategies.record.clocks[0].deadline >= begin + 0.2


async def test_the_calls_deadline_bounds_the_time_asked_for(stub: Stub) -> None:
    """A request for 10 s in a call with a deadline of 250 ms still gets its response."""
    request = search_request()
    request.limits.time.seconds = 10
    result = (await stub.Search(request, timeout=0.25)).result
    assert result.stop_reason == pb.STOP_REASON_DEADLINE


@pytest.mark.parametrize("streamed", [False, True])
async def test_cancelling_stops_the_search(stub: Stub, strategies: FakeStrategies, streamed: bool) -> None:
    """The search ends at once when its caller cancels the call."""
    request = search_request()
    request.limits.time.seconds = 30
    call = stub.StreamSearch(stream_request(request)) if streamed else stub.Search(request)
    await until_searching(strategies)
    cancelled = time.monotonic()
    call.cancel()
    async with asyncio.timeout(5):
        while not strategies.record.runs:
            await asyncio.sleep(0.001)
    assert strategies.record.runs[0].stop_reason is StopReason.CANCELLED
    assert strategies.record.runs[0].end - cancelled < LATE


async def test_timed_requests_wait_for_others(
    stub: Stub, strategies: FakeStrategies, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They wait for a part of their time; a search to a depth starts at once."""
    monkeypatch.setattr(service, "ADMISSION_DELAY", Allowance(2.0, 0.5))
    for request, deadline, least, most in (
        (search_request(milliseconds=600), None, 0.3, 0.6),
        (search_request(), 1.0, 0.4, 1.0),
        (search_request(depth=1), 5.0, 0.0, 0.5),
    ):
        begin = time.monotonic()
        await stub.Search(request, timeout=deadline)
        assert least <= strategies.record.clocks[-1].start - begin < most


async def test_nobody_waits_long_for_others(stub: Stub, strategies: FakeStrategies) -> None:
    """A request for minutes starts after a few milliseconds, too."""
    request = search_request()
    request.limits.time.seconds = 100
    begin = time.monotonic()
    call = stub.Search(request)
    await until_searching(strategies)
    assert 0.0029 < strategies.record.clocks[0].start - begin < LATE
    call.cancel()


async def test_no_time_left_is_refused_at_once(stub: Stub) -> None:
    """A request for less than the minimum share gets RESOURCE_EXHAUSTED."""
    assert await code_of(stub.Search(search_request(milliseconds=4))) == grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_answers_and_refusals_report_the_load(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal has its details, too. The trailer has another name here: gRPC keeps the real one."""
    monkeypatch.setattr(service, "TRAILER", "load-bin")
    for milliseconds, keys in ((20, {"load-bin"}), (4, {"load-bin", "grpc-status-details-bin"})):
        call = stub.Search(search_request(milliseconds=milliseconds))
        await code_of(call)
        assert {key for key, _ in await call.trailing_metadata() or ()} == keys


async def test_thirty_two_games_share_two_workers(stub: Stub, strategies: FakeStrategies) -> None:
    """Simultaneous requests all end in time and get a share, and no more searches run than workers."""

    async def play() -> float:
        begin = time.monotonic()
        await stub.Search(search_request(milliseconds=480))
        return time.monotonic() - begin

    elapsed = await asyncio.gather(*(play() for _ in range(32)))
    assert max(elapsed) < 0.48 + LATE
    assert strategies.record.most_at_once == 2
    assert min(run.end - run.begin for run in strategies.record.runs) >= MIN_SHARE


async def test_a_flood_is_refused_and_the_accepted_are_on_time(stub: Stub) -> None:
    """When shares get too short, new requests are refused; accepted ones are completed."""
    calls = [code_of(stub.Search(search_request(milliseconds=100))) for _ in range(120)]
    begin = time.monotonic()
    codes = await asyncio.gather(*calls)
    assert time.monotonic() - begin < 0.1 + LATE
    assert set(codes) == {grpc.StatusCode.OK, grpc.StatusCode.RESOURCE_EXHAUSTED}


async def test_a_search_to_a_depth_is_not_cut_back(stub: Stub, strategies: FakeStrategies) -> None:
    """Waiting requests shorten only searches that time limits."""
    strategies.depth_seconds = 0.1
    deep = asyncio.ensure_future(stub.Search(search_request(depth=4)))
    await until_searching(strategies)
    await asyncio.gather(*(stub.Search(search_request(milliseconds=100)) for _ in range(4)))
    assert (await deep).result.stop_reason == pb.STOP_REASON_DEPTH


async def test_a_failed_search_affects_no_other(stub: Stub) -> None:
    """A search that fails is INTERNAL for its caller, and its worker continues."""
    request = search_request(depth=2)
    request.strategy.search = "broken"
    assert await code_of(stub.Search(request)) == grpc.StatusCode.INTERNAL
    responses = stub.StreamSearch(stream_request(request))
    first = await responses.read()
    assert (first.result.depth, first.final) == (1, False)
    assert await responses.code() == grpc.StatusCode.INTERNAL
    assert (await stub.Search(search_request(depth=2))).result.depth == 2
