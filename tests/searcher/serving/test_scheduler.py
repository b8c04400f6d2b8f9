"""Searches on worker threads, timed, cancelled and drained."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from searcher.engine.result import Limits, Result, StopReason
from searcher.errors import OverloadedError, SearchFailedError, UnavailableError
from searcher.interface import Strategy, Task
from searcher.serving.scheduler import Scheduler, available_cores
from searcher.serving.translate import task_of
from tests.searcher.fakes import OFFER, FakeStrategies
from tests.searcher.requests import search_request

pytestmark = pytest.mark.alone

LATE = 0.5
"""Seconds, generously, by which a loaded machine may be late."""


@pytest.fixture
async def scheduler(logs: None, strategies: FakeStrategies) -> AsyncIterator[Scheduler]:
    """One worker."""
    scheduler = Scheduler(1, strategies.new_search)
    yield scheduler
    await scheduler.drain(0.0)
    scheduler.close()


def task(depth: int | None = None) -> Task:
    """A search of the duel."""
    valid = task_of(search_request(), OFFER)
    return Task(valid.position, valid.strategy, Limits(depth=depth), None)


def search(scheduler: Scheduler, seconds: float, *, timed: bool = True) -> asyncio.Task[Result]:
    """A search that has been accepted or refused, by the next turn of the loop."""
    return asyncio.create_task(scheduler.search(task(), time.monotonic() + seconds, timed=timed))


async def test_a_search_ends_at_its_deadline(scheduler: Scheduler) -> None:
    """It uses the time it has, and answers off the event loop."""
    begin = time.monotonic()
    running = search(scheduler, 0.15)
    await asyncio.sleep(0.01)
    assert not running.done()
    assert (await running).stop_reason is StopReason.DEADLINE
    assert 0.14 < time.monotonic() - begin < 0.15 + LATE


async def test_a_running_search_is_cut_back_for_others(
    scheduler: Scheduler, strategies: FakeStrategies
) -> None:
    """A second request halves the time of the first, and both are on time."""
    begin = time.monotonic()
    first = search(scheduler, 0.4)
    await asyncio.sleep(0.05)
    second = search(scheduler, 0.35)
    await asyncio.gather(first, second)
    assert time.monotonic() - begin < 0.4 + LATE
    first_run, second_run = strategies.record.runs
    assert first_run.end - first_run.begin < 0.35
    assert second_run.end - second_run.begin > 0.05


async def test_time_is_given_back_when_those_who_waited_leave(
    scheduler: Scheduler, strategies: FakeStrategies
) -> None:
    """A search that was cut back gets its time again when the other one is cancelled."""
    first = search(scheduler, 0.4)
    await asyncio.sleep(0.02)
    second = search(scheduler, 0.4)
    await asyncio.sleep(0.02)
    second.cancel()
    await first
    assert strategies.record.runs[0].end - strategies.record.runs[0].begin > 0.35


async def test_depths_are_told_in_the_worker(scheduler: Scheduler) -> None:
    """Each completed depth is heard of before the search ends, in the thread that searches."""
    heard: list[tuple[int, bool]] = []

    def hear(result: Result) -> None:
        heard.append((result.depth, threading.current_thread() is threading.main_thread()))

    await scheduler.search(task(depth=3), time.monotonic() + 5, timed=False, on_depth=hear)
    assert heard == [(depth, False) for depth in (1, 2, 3)]


async def test_a_cancelled_search_frees_its_worker(scheduler: Scheduler) -> None:
    """The next search begins as soon as the cancelled one has noticed."""
    long = search(scheduler, 30.0)
    await asyncio.sleep(0.05)
    long.cancel()
    begin = time.monotonic()
    await scheduler.search(task(depth=1), time.monotonic() + 5, timed=False)
    assert time.monotonic() - begin < 0.02 + LATE


async def test_who_waits_in_vain_is_told_so(scheduler: Scheduler) -> None:
    """With the only worker held by a search that nothing cuts back, a timed request runs out of time."""
    untimed = search(scheduler, 0.5, timed=False)
    await asyncio.sleep(0.02)
    begin = time.monotonic()
    with pytest.raises(OverloadedError):
        await search(scheduler, 0.1)
    assert time.monotonic() - begin < 0.1 + LATE
    assert (await untimed).stop_reason is StopReason.DEADLINE


async def test_a_search_that_does_not_end_is_answered_for(
    scheduler: Scheduler, strategies: FakeStrategies
) -> None:
    """At its time its last completed depth is the answer; it is stopped, and its worker goes on."""
    begin, deaf = time.monotonic(), Strategy("deaf", "plain", {})
    result = await scheduler.search(Task(task().position, deaf, Limits(), None), begin + 0.15, timed=True)
    assert time.monotonic() - begin < 0.15 + LATE
    assert result.stop_reason is StopReason.DEADLINE
    assert result.depth > 0
    assert (await search(scheduler, 0.15)).depth > 0
    assert strategies.record.runs[0].stop_reason is StopReason.CANCELLED


async def test_an_answer_is_made_way_for(logs: None, strategies: FakeStrategies) -> None:
    """From the end of a search until the event loop sees it, the others leave their cores to the loop."""
    scheduler, clocks = Scheduler(2, strategies.new_search), strategies.record.clocks
    try:
        others = search(scheduler, 30.0)
        while not clocks:
            await asyncio.sleep(0.001)
        ending = asyncio.create_task(scheduler.search(task(depth=1), time.monotonic() + 5, timed=False))
        await asyncio.sleep(0.001)
        time.sleep(0.2)  # the loop is busy while the search ends
        assert [clock.yield_requested for clock in clocks] == [True, False]
        await ending
        assert not any(clock.yield_requested for clock in clocks)
    finally:
        await scheduler.drain(0.0)
        scheduler.close()
    assert (await others).stop_reason is StopReason.CANCELLED


async def test_draining_lets_searches_finish(scheduler: Scheduler) -> None:
    """Running and waiting searches are all answered when there is time."""
    searches = [search(scheduler, 0.2) for _ in range(3)]
    await asyncio.sleep(0.02)
    await scheduler.drain(5.0)
    assert {(await one).stop_reason for one in searches} == {StopReason.DEADLINE}


async def test_draining_stops_what_lasts_too_long(scheduler: Scheduler) -> None:
    """After the grace running searches answer what they have, and waiting ones that there is no searcher."""
    running, waiting = search(scheduler, 30.0, timed=False), search(scheduler, 30.0, timed=False)
    await asyncio.sleep(0.1)
    begin = time.monotonic()
    await scheduler.drain(0.1)
    assert time.monotonic() - begin < 0.1 + LATE
    result = await running
    assert result.stop_reason is StopReason.CANCELLED
    assert result.depth > 0
    with pytest.raises(UnavailableError):
        await waiting


async def test_a_broken_searcher_is_replaced(scheduler: Scheduler, strategies: FakeStrategies) -> None:
    """A search that fails says so, and the next one works."""
    valid = task(depth=2)
    broken = Strategy("broken", "plain", {})
    with pytest.raises(SearchFailedError):
        await scheduler.search(
            Task(valid.position, broken, valid.limits, None), time.monotonic() + 5, timed=False
        )
    assert (await scheduler.search(valid, time.monotonic() + 5, timed=False)).depth == 2


async def test_a_searcher_may_refuse(scheduler: Scheduler, strategies: FakeStrategies) -> None:
    """What a searcher says of a request reaches who asked."""
    valid, unready = task(depth=2), Strategy("unready", "plain", {})
    with pytest.raises(UnavailableError, match="still compiling"):
        await scheduler.search(
            Task(valid.position, unready, valid.limits, None), time.monotonic() + 5, timed=False
        )


@pytest.mark.parametrize(("quota", "cores"), [("max 100000", None), ("100000 100000", 1), ("5000 100000", 1)])
def test_a_containers_quota_counts(tmp_path: Path, quota: str, cores: int | None) -> None:
    """A quota of one core means one worker, however many cores there are; "max" is none."""
    cpu_max = tmp_path / "cpu.max"
    unlimited = available_cores(cpu_max)
    cpu_max.write_text(quota)
    assert available_cores(cpu_max) == (cores or unlimited)
