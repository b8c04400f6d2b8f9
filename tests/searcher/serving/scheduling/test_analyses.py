"""Searches for analyses: on free workers, and given back to searches of moves."""

import asyncio
import time
import weakref
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from prometheus_client import CollectorRegistry

from battlesnake_search.serving.errors import RequestError
from searcher.engine.position import Position
from searcher.engine.result import Limits, Result, StopReason
from searcher.errors import SearchFailedError, UnavailableError
from searcher.interface import Search, Task
from searcher.serving.metrics import AnalysisMetrics, SearchMetrics
from searcher.serving.scheduling import analyses
from searcher.serving.scheduling.admission import Entry
from searcher.serving.scheduling.analyses import IdleSearches
from searcher.serving.scheduling.scheduler import Scheduler
from searcher.serving.translate import task_of
from tests.searcher.fakes import OFFER, FakeStrategies, Run
from tests.searcher.requests import search_request

PATIENCE = 20.0
"""Seconds, far more than a step needs on a busy machine."""

LONG = 60.0

TASK = task_of(search_request(), OFFER)


@pytest.fixture
def registry() -> CollectorRegistry:
    """The registry of the metrics."""
    return CollectorRegistry()


@pytest.fixture
async def scheduler(
    logs: None, strategies: FakeStrategies, registry: CollectorRegistry
) -> AsyncIterator[Scheduler]:
    """A scheduler with two workers."""
    scheduler = Scheduler(2, strategies.new_search, SearchMetrics(registry))
    yield scheduler
    await scheduler.drain(0.0)
    scheduler.close()


@pytest.fixture
async def idle(
    scheduler: Scheduler, strategies: FakeStrategies, registry: CollectorRegistry
) -> AsyncIterator[IdleSearches]:
    """The analyses of the scheduler."""
    idle = IdleSearches(scheduler, strategies.new_search, AnalysisMetrics(registry))
    yield idle
    idle.close()


def task(turn: int = 0, depth: int | None = None, search: str = "steady") -> Task:
    """Return a task to search a position of a turn."""
    position: Position = replace(TASK.position, turn=turn)
    return Task(position, replace(TASK.strategy, search=search), Limits(depth=depth), None)


def analysis(
    idle: IdleSearches, asked: Task, priority: int = 0, seconds: float = LONG
) -> asyncio.Task[Result]:
    """Start an analysis in the next iteration of the event loop."""
    return asyncio.create_task(idle.search(asked, seconds, priority))


def move(scheduler: Scheduler, seconds: float, **options: bool) -> asyncio.Task[Result]:
    """Start the search of a move in the next iteration of the event loop."""
    return asyncio.create_task(scheduler.search(task(99), Entry(time.monotonic() + seconds, **options)))


async def until_running(strategies: FakeStrategies, count: int) -> None:
    """Wait until exactly so many searches run."""
    async with asyncio.timeout(PATIENCE):
        while strategies.record.running != count:
            await asyncio.sleep(0.001)


async def until_begun(strategies: FakeStrategies, count: int) -> None:
    """Wait until so many searches have begun."""
    async with asyncio.timeout(PATIENCE):
        while len(strategies.record.clocks) < count:
            await asyncio.sleep(0.001)


def of_moves(strategies: FakeStrategies) -> list[Run]:
    """Return the searches of moves that have ended."""
    return [run for run in strategies.record.runs if run.position.turn == 99]


async def test_a_move_gets_its_worker_at_once(
    scheduler: Scheduler, idle: IdleSearches, strategies: FakeStrategies
) -> None:
    """One analysis goes on. The other one begins again after the move, and searches to its limit."""
    running = [analysis(idle, task(turn, depth=20)) for turn in range(2)]
    await until_running(strategies, 2)
    begun = time.monotonic()
    await move(scheduler, 0.2)
    assert [(await each).depth for each in running] == [20, 20]
    [run] = of_moves(strategies)
    assert run.begin - begun < PATIENCE / 10
    stopped = {run.position.turn for run in strategies.record.runs if run.stop_reason is StopReason.CANCELLED}
    assert stopped - {99} == {1}


async def test_helpers_of_a_move_are_wanted_workers(
    scheduler: Scheduler, idle: IdleSearches, strategies: FakeStrategies
) -> None:
    """A move that takes idle workers leaves none to analyses."""
    running = analysis(idle, task(1))
    await until_running(strategies, 1)
    searching = move(scheduler, LONG, takes_idle=True)
    await until_begun(strategies, 2)
    await until_running(strategies, 1)
    assert strategies.record.clocks[1].helpers == 1
    searching.cancel()
    await until_begun(strategies, 3)
    running.cancel()


async def test_a_higher_priority_is_searched_first(idle: IdleSearches, strategies: FakeStrategies) -> None:
    """Equal priorities are searched in their order."""
    first = []
    for turn in (1, 2):
        # Together, the two workers would begin them in either order.
        first.append(analysis(idle, task(turn, depth=20)))
        await until_running(strategies, turn)
    rest = [analysis(idle, task(turn, depth=1), priority) for turn, priority in ((3, -1), (4, 0), (5, 0))]
    await asyncio.gather(*first, *rest)
    order = sorted(strategies.record.runs, key=lambda run: run.begin)
    assert [run.position.turn for run in order] == [1, 2, 4, 5, 3]


@pytest.mark.parametrize(("search", "error"), [("broken", SearchFailedError), ("unready", UnavailableError)])
async def test_errors_reach_the_caller(idle: IdleSearches, search: str, error: type[RequestError]) -> None:
    """The worker goes on."""
    for _ in range(3):
        with pytest.raises(error):
            await analysis(idle, task(search=search))
    assert (await analysis(idle, task(depth=1))).depth == 1


async def test_the_memory_of_analyses_is_released(
    scheduler: Scheduler, strategies: FakeStrategies, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some time after the last analysis no search is left, and a later analysis gets a new one."""
    made: weakref.WeakSet[Search] = weakref.WeakSet()

    def new_search() -> Search:
        made.add(search := strategies.new_search())
        return search

    monkeypatch.setattr(analyses, "_KEPT", 0.01)
    idle = IdleSearches(scheduler, new_search, AnalysisMetrics(CollectorRegistry()))
    for _ in range(2):
        assert (await analysis(idle, task(depth=1))).depth == 1
        async with asyncio.timeout(PATIENCE):
            while made:
                await asyncio.sleep(0.001)
    idle.close()


async def test_a_drained_searcher_refuses_analyses(idle: IdleSearches, strategies: FakeStrategies) -> None:
    """Running, waiting and later ones get UNAVAILABLE at once."""
    running = [analysis(idle, task(turn)) for turn in range(3)]
    await until_running(strategies, 2)
    idle.close()
    for each in (*running, analysis(idle, task())):
        with pytest.raises(UnavailableError, match="shutting down"):
            await each
    await until_running(strategies, 0)


async def test_an_endless_search_is_reported(
    scheduler: Scheduler, strategies: FakeStrategies, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is one that neither its time nor a stop ends. Its caller gets UNAVAILABLE."""
    monkeypatch.setattr(analyses, "PATIENCE", 0.05)
    reported: list[Task] = []
    metrics = AnalysisMetrics(CollectorRegistry())
    idle = IdleSearches(scheduler, strategies.new_search, metrics, lambda asked, _: reported.append(asked))
    asked = task(7, search="deaf")
    with pytest.raises(UnavailableError, match="a search in turn 7 did not end within"):
        await analysis(idle, asked, seconds=0.01)
    assert reported == [asked]
    await until_running(strategies, 0)


async def test_analyses_are_counted_apart(
    scheduler: Scheduler, idle: IdleSearches, registry: CollectorRegistry
) -> None:
    """They are no demand, because no further searcher is needed for them."""
    await analysis(idle, task(depth=3))
    labels = {"strategy": "steady/weighed", "stop_reason": "depth"}
    assert registry.get_sample_value("searcher_analyses_total", labels) == 1
    nodes = registry.get_sample_value("searcher_analysis_nodes_total", {"strategy": "steady/weighed"})
    assert nodes == 30
    assert registry.get_sample_value("searcher_searches_total", labels) is None
    assert registry.get_sample_value("searcher_demand_seconds_total") == 0
    assert registry.get_sample_value("searcher_analyses_running") == 0
