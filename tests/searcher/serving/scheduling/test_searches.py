"""Searches on worker threads: timed, cancelled and drained."""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator

import pytest
from prometheus_client import CollectorRegistry

from battlesnake_search.serving.errors import OverloadedError
from searcher.engine.result import Limits, Result, StopReason
from searcher.interface import Strategy, Task
from searcher.serving.metrics import SearchMetrics
from searcher.serving.scheduling.admission import MIN_SHARE, Entry
from searcher.serving.scheduling.scheduler import Scheduler
from searcher.serving.translate import task_of
from tests.searcher.fakes import OFFER, FakeStrategies, Run
from tests.searcher.requests import search_request

pytestmark = pytest.mark.alone

LATE = 0.5
"""Seconds, a generous number, by which a loaded machine may be late."""


@pytest.fixture
async def scheduler(logs: None, strategies: FakeStrategies) -> AsyncIterator[Scheduler]:
    """A scheduler with one worker."""
    scheduler = Scheduler(1, strategies.new_search, SearchMetrics(CollectorRegistry()))
    yield scheduler
    await scheduler.drain(0.0)
    scheduler.close()


def task(depth: int | None = None) -> Task:
    """Return a task to search the duel."""
    valid = task_of(search_request(), OFFER)
    return Task(valid.position, valid.strategy, Limits(depth=depth), None)


def search(scheduler: Scheduler, seconds: float, *, timed: bool = True) -> asyncio.Task[Result]:
    """Start a search that is accepted or refused in the next iteration of the event loop."""
    return asyncio.create_task(scheduler.search(task(), Entry(time.monotonic() + seconds, timed)))


async def ended(strategies: FakeStrategies, number: int) -> list[Run]:
    """Return the searches once so many have ended. On busy cores the answer of a deadline comes first."""
    async with asyncio.timeout(5):
        while len(strategies.record.runs) < number:
            await asyncio.sleep(0.005)
    return strategies.record.runs


async def test_a_search_ends_at_its_deadline(scheduler: Scheduler) -> None:
    """The search uses all its time and does not block the event loop."""
    begin = time.monotonic()
    running = search(scheduler, 0.15)
    await asyncio.sleep(0.01)
    assert not running.done()
    assert (await running).stop_reason is StopReason.DEADLINE
    assert 0.14 < time.monotonic() - begin < 0.15 + LATE


async def test_a_running_search_is_cut_back_for_others(
    scheduler: Scheduler, strategies: FakeStrategies
) -> None:
    """A second request halves the time of the first search, and both end in time."""
    begin = time.monotonic()
    first = search(scheduler, 0.4)
    await asyncio.sleep(0.05)
    second = search(scheduler, 0.35)
    await asyncio.gather(first, second)
    assert time.monotonic() - begin < 0.4 + LATE
    first_run, second_run = await ended(strategies, 2)
    assert first_run.end - first_run.begin < 0.35
    assert second_run.end - second_run.begin > 0.05


async def test_a_request_that_is_refused_as_it_starts_frees_its_worker(scheduler: Scheduler) -> None:
    """The time of a waiting request may be over at the moment at which its search starts."""
    refused = search(scheduler, 30.0)
    await asyncio.sleep(0.02)
    [job] = scheduler._jobs.values()
    scheduler._expire(job.future)
    with pytest.raises(OverloadedError):
        await refused
    assert (await search(scheduler, 0.1)).stop_reason is StopReason.DEADLINE


async def test_a_refusal_comes_before_the_deadline(scheduler: Scheduler) -> None:
    """Its caller can still choose a move without a search; only a busy machine is late now and then."""
    untimed, deadline = search(scheduler, 30.0, timed=False), 0.0
    await asyncio.sleep(0.02)
    async with asyncio.timeout(20):
        while time.monotonic() >= deadline:
            deadline = time.monotonic() + 0.05
            with pytest.raises(OverloadedError):
                await scheduler.search(task(), Entry(deadline))
    untimed.cancel()


async def test_a_refusal_says_what_is_missing_and_when_to_retry(scheduler: Scheduler) -> None:
    """The time left is too short; there is room again once the running search ends, or at once."""
    with pytest.raises(OverloadedError, match=r"at least 5 ms: raise limits.time or the call's") as caught:
        await search(scheduler, 0.004)
    assert caught.value.retry_after == MIN_SHARE
    untimed = search(scheduler, 30.0, timed=False)
    await asyncio.sleep(0.02)
    with pytest.raises(OverloadedError) as caught:
        await search(scheduler, 0.004)
    assert 20.0 < caught.value.retry_after < 30.0
    untimed.cancel()


async def test_an_overdue_search_returns_its_last_depth(
    scheduler: Scheduler, strategies: FakeStrategies
) -> None:
    """At its deadline the last completed depth is the result; the search is stopped and frees its worker."""
    begin, deaf = time.monotonic(), Strategy("deaf", "plain", {})
    result = await scheduler.search(Task(task().position, deaf, Limits(), None), Entry(begin + 0.15))
    assert time.monotonic() - begin < 0.15 + LATE
    assert result.stop_reason is StopReason.DEADLINE
    assert result.depth > 0
    assert (await search(scheduler, 0.15)).depth > 0
    assert (await ended(strategies, 1))[0].stop_reason is StopReason.CANCELLED


async def test_an_overdue_search_without_a_depth_is_waited_for(
    scheduler: Scheduler, strategies: FakeStrategies, caplog: pytest.LogCaptureFixture
) -> None:
    """There is nothing else to answer with, and that is no fault."""
    strategies.depth_seconds = 0.3
    deaf = Strategy("deaf", "plain", {})
    late = Task(task().position, deaf, Limits(depth=1), None)
    result = await scheduler.search(late, Entry(time.monotonic() + 0.1))
    assert (result.depth, result.stop_reason) == (1, StopReason.DEPTH)
    assert caplog.records == []


async def test_searches_yield_to_the_event_loop(logs: None, strategies: FakeStrategies) -> None:
    """From the end of a search until the event loop handles it, the others are asked to yield a core."""
    scheduler, clocks = (
        Scheduler(2, strategies.new_search, SearchMetrics(CollectorRegistry())),
        strategies.record.clocks,
    )
    try:
        others = search(scheduler, 30.0)
        while not clocks:
            await asyncio.sleep(0.001)
        ending = asyncio.create_task(
            scheduler.search(task(depth=1), Entry(time.monotonic() + 5, timed=False))
        )
        await asyncio.sleep(0.001)
        time.sleep(0.2)  # the loop is busy while the search ends
        assert [clock.yield_requested for clock in clocks] == [True, False]
        await ending
        assert not any(clock.yield_requested for clock in clocks)
    finally:
        await scheduler.drain(0.0)
        scheduler.close()
    assert (await others).stop_reason is StopReason.CANCELLED


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere niceness belongs to the whole process")
async def test_searches_give_way_to_requests(scheduler: Scheduler) -> None:
    """Their threads are nicer than this one, and don't preempt others, where the system supports it."""
    found: list[tuple[int, int]] = []

    def look(_: Result) -> None:
        found.append((os.nice(0), os.sched_getscheduler(0)))

    await scheduler.search(task(depth=1), Entry(time.monotonic() + 5, timed=False), look)
    assert found[0] == (min(os.nice(0) + 5, 19), os.SCHED_BATCH)
