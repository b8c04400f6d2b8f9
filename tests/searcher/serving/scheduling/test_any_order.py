"""Requests of searches in any order: they arrive, are cancelled, fail and are drained."""

import asyncio
import time
from collections.abc import Coroutine
from typing import Any

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from prometheus_client import CollectorRegistry

from battlesnake_search.serving.errors import OverloadedError
from searcher.engine.result import Limits, Result
from searcher.errors import SearchFailedError, UnavailableError
from searcher.interface import Task, complete_strategy
from searcher.serving.metrics import SearchMetrics
from searcher.serving.scheduling.admission import Entry
from searcher.serving.scheduling.scheduler import Scheduler
from searcher.serving.translate import task_of
from tests.searcher.fakes import EVALUATORS, OFFER, FakeStrategies
from tests.searcher.requests import search_request
from tests.support.event_loop import until

LATE = 20.0
"""Seconds, a generous number, by which a loaded machine may be late."""

VALID = task_of(search_request(), OFFER)


class Searches(RuleBasedStateMachine):
    """A scheduler with fake searches, and the requests that wait for an answer."""

    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.new_event_loop()
        self._waiting: list[tuple[asyncio.Task[Result], float]] = []

    @initialize(workers=st.integers(1, 3))
    def start(self, workers: int) -> None:
        """Start the workers."""
        self._workers = workers
        self._strategies = FakeStrategies(depth_seconds=0.002)
        self._scheduler: Scheduler = self._run(self._started())

    @rule(
        seconds=st.floats(0.0, 0.05),
        search=st.sampled_from(["steady", "steady", "steady", "broken", "unready", "deaf"]),
        timed=st.booleans(),
        threads=st.integers(1, 3),
    )
    def arrive(self, seconds: float, search: str, timed: bool, threads: int) -> None:
        """Ask for a search."""
        limits = Limits(depth=None if timed else 3, threads=threads)
        task = Task(VALID.position, complete_strategy(search, EVALUATORS[0]), limits, None)
        deadline = time.monotonic() + seconds
        searching = self._scheduler.search(task, Entry(deadline, timed, threads))
        self._waiting.append((self._loop.create_task(searching), deadline))
        self._run(asyncio.sleep(0))

    @rule(index=st.integers(0, 20))
    def cancel(self, index: int) -> None:
        """Give up a search, which may have ended already."""
        if self._waiting:
            self._waiting[index % len(self._waiting)][0].cancel()
            self._run(asyncio.sleep(0))

    @rule(seconds=st.sampled_from([0.001, 0.005, 0.02]))
    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self._run(asyncio.sleep(seconds))

    @rule()
    def drain(self) -> None:
        """Wait for what runs a moment, and stop the rest; nobody is left without an answer."""
        self._run(self._scheduler.drain(0.01))
        self._run(self._all_are_answered())

    @invariant()
    def no_worker_searches_twice(self) -> None:
        """There are never more searches than workers."""
        assert self._strategies.record.most_at_once <= self._workers

    @invariant()
    def answers_are_answers(self) -> None:
        """Each answer is a result, or the reason for none; no caller waits long past the deadline."""
        still = []
        for task, deadline in self._waiting:
            if task.done():
                assert task.cancelled() or _is_answer(task)
            else:
                assert time.monotonic() < deadline + LATE
                still.append((task, deadline))
        self._waiting = still

    def teardown(self) -> None:
        """Show that every worker still works and that nothing is left, then end."""
        if hasattr(self, "_scheduler"):
            self._run(self._scheduler.drain(1.0))
            self._run(self._all_are_answered())
            self._run(self._every_worker_works())
            assert not self._scheduler._jobs
            self._scheduler.close()
        self._loop.close()

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self._loop.run_until_complete(work)

    async def _started(self) -> Scheduler:
        return Scheduler(self._workers, self._strategies.new_search, SearchMetrics(CollectorRegistry()))

    async def _all_are_answered(self) -> None:
        async with asyncio.timeout(LATE):
            await asyncio.gather(*(task for task, _ in self._waiting), return_exceptions=True)
        self.answers_are_answers()

    async def _every_worker_works(self) -> None:
        """Keep every worker busy at once, then stop them all."""
        record = self._strategies.record
        await until(lambda: not self._scheduler._jobs)
        task = Task(VALID.position, VALID.strategy, Limits(), None)
        ends = time.monotonic() + 3 * LATE
        searches = [
            asyncio.create_task(self._scheduler.search(task, Entry(ends))) for _ in range(self._workers)
        ]
        await until(lambda: record.running == self._workers)
        for search in searches:
            search.cancel()
        await until(lambda: not record.running and not self._scheduler._jobs)


def _is_answer(task: asyncio.Task[Result]) -> bool:
    error = task.exception()
    return error is None or isinstance(error, OverloadedError | UnavailableError | SearchFailedError)


TestSearches = Searches.TestCase
TestSearches.settings = settings(max_examples=30, stateful_step_count=20)
