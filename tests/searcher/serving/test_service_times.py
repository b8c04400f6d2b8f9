"""The time that searches get, and when they are answered, over a real connection."""

import asyncio
import time

import pytest

from battlesnake_search.contract import search_pb2 as pb
from searcher.engine.result import StopReason
from searcher.serving import service
from searcher.serving.scheduling.admission import MIN_SHARE, CappedTime
from searcher.serving.scheduling.deadlines import DEFAULT_TIME, MOST_MARGIN
from tests.searcher.fakes import FakeStrategies
from tests.searcher.requests import search_request, stream_request
from tests.searcher.serving.calls import Stub, until_searching

pytestmark = pytest.mark.alone

LATE = 0.5
"""Seconds, a generous number, by which a loaded machine may respond late."""

ROUNDING = 0.002
"""Seconds by which gRPC may round up the time until a call's deadline."""


def time_to_search(strategies: FakeStrategies) -> float:
    """Return the seconds that the last search was given."""
    clock = strategies.record.clocks[-1]
    return clock.deadline - clock.start


async def test_without_limits_it_takes_the_default_time(stub: Stub, strategies: FakeStrategies) -> None:
    """A search without a limit or a deadline takes the 400 ms of the contract."""
    await stub.Search(search_request())
    run = await strategies.record.first_run()
    assert DEFAULT_TIME - 0.05 < run.end - run.begin < DEFAULT_TIME + LATE


async def test_a_search_leaves_time_before_the_calls_deadline(stub: Stub, strategies: FakeStrategies) -> None:
    """With half a second until the call's deadline, the whole margin is left for the response."""
    await stub.Search(search_request(), timeout=0.5)
    assert time_to_search(strategies) <= 0.5 - MOST_MARGIN + ROUNDING


async def test_the_time_asked_for_is_kept_if_the_deadline_allows_it(
    stub: Stub, strategies: FakeStrategies
) -> None:
    """A time limit that ends 50 ms before the call's deadline, as our clients set it, is not shortened."""
    begin = time.monotonic()
    await stub.Search(search_request(milliseconds=200), timeout=0.25)
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
    monkeypatch.setattr(service, "ADMISSION_DELAY", CappedTime(2.0, 0.5))
    for request, deadline, least, most in (
        (search_request(milliseconds=600), None, 0.3, 0.6),
        (search_request(), 1.0, 0.4, 1.0),
        (search_request(depth=1), 5.0, 0.0, 0.5),
    ):
        begin = time.monotonic()
        await stub.Search(request, timeout=deadline)
        assert least <= strategies.record.clocks[-1].start - begin < most


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
