"""The scheduler: it runs the admitted searches on worker threads instead of the event loop."""

import asyncio
import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import Context, copy_context
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar

from battlesnake_search.common.cores import starved_seconds
from battlesnake_search.common.logs import get_logger
from battlesnake_search.common.sparse import FAULTS
from battlesnake_search.serving.errors import OverloadedError, RequestError
from searcher.engine.result import Result, StopReason
from searcher.engine.search.clock import Clock
from searcher.errors import SearchFailedError, UnavailableError
from searcher.interface import OnDepth, Search, Task
from searcher.serving.metrics import SearchMetrics
from searcher.serving.scheduling.admission import MIN_SHARE, Admission, Entry

_Result = TypeVar("_Result")


@dataclass(eq=False, slots=True)
class Job:
    """An accepted request and the state of its search. Times are by `time.monotonic()`, in seconds."""

    task: Task
    entry: Entry
    future: asyncio.Future[Result]
    on_depth: OnDepth | None
    timer: asyncio.TimerHandle
    """Refuses a search that waits too long, and answers in place of a search that runs too long."""
    admitted: float = field(default_factory=time.monotonic)
    context: Context = field(default_factory=copy_context)
    """The context of the request, with its trace and its game."""
    clock: Clock | None = None
    latest: Result | None = None
    """The result of the last completed depth."""
    watchdog: asyncio.TimerHandle | None = None
    """Reports a search that does not end. It runs even if the caller has left."""
    starved: float = 0.0
    """The seconds that a completed search has waited for a processor."""

    def record_depth(self, result: Result) -> None:
        """Keep the result of a completed depth. Called in the worker's thread."""
        self.latest = result
        if self.on_depth is not None:
            self.on_depth(result)


_STOP_TIME = 1.0
"""Seconds for stopped searches to return: two hundred times what they usually take."""

_OVERDUE = 0.002
"""Seconds after the due end of a search at which its last completed depth becomes the result, because on busy
cores its thread may notice the end late."""

PATIENCE = 4.0
"""Seconds after the due end of a search at which the search counts as endless, at the least, because a busy
machine may stop a thread for a while."""

_PATIENCE_TIMES = 4.0
"""The least multiple of the time of a search after which the search counts as endless."""

LATE = 1.0
"""Seconds by which a timer may be late. After a longer delay, the whole process stood still."""

_NICENESS = 5
"""The niceness of searches, on top of the process's own. Threads that pass requests and responses on sleep
most of the time. Without it, on busy cores, they could wait milliseconds until a search is interrupted."""

_log = get_logger(__name__)


def lower_priority() -> None:
    """Lower the priority of the calling thread, and of threads that it starts, within the process."""
    if sys.platform == "linux":  # on other systems niceness belongs to the whole process
        os.nice(_NICENESS)
        # A search that wakes up must not preempt other threads, because the previous search's response would
        # wait.
        with suppress(OSError):  # some sandboxes don't support scheduling policies
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


OnEndless: TypeAlias = Callable[[Task, str], object]
"""Receives a task that does not end, once, and the reason to take off its evaluator, in the event loop."""


def ignore(*_: object) -> None:
    """Receive news and do nothing."""


def settle(future: asyncio.Future[_Result], outcome: _Result | Exception) -> None:
    """Give a future its result or its exception, unless it has one or its caller is gone."""
    if future.done():
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)


def in_own_thread(work: Callable[[], _Result], name: str) -> asyncio.Future[_Result]:
    """Start work in a thread, and return its future result.

    The loop's executor does not fit: its threads would keep a process from ending.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[_Result] = loop.create_future()

    def run() -> None:
        outcome: _Result | Exception
        try:
            outcome = work()
        except Exception as error:
            outcome = error
        # The loop may be closed by now.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, future, outcome)

    threading.Thread(target=run, name=name, daemon=True).start()
    return future


def give_up(task: Task, late: float, future: asyncio.Future[Result], on_endless: OnEndless) -> None:
    """Report a search that has not ended so many seconds after its due end, and refuse it."""
    reason = f"a search in turn {task.position.turn} did not end within {late:.1f} s after its deadline"
    on_endless(task, reason)
    settle(future, UnavailableError(f"{task.strategy}: {reason}"))


def searched(
    search: Search | None,
    new_search: Callable[[], Search],
    task: Task,
    clock: Clock | None,
    on_depth: OnDepth | None,
    context: Context,
) -> tuple[Search | None, Result | RequestError]:
    """Run `search`, or a new search if it is None, for a started task.

    Return the search for the next task, and the outcome.
    """
    assert clock is not None
    try:
        search = search or new_search()
        return search, search(task.position, task.strategy, task.limits, clock, on_depth)
    except RequestError as error:
        return search, error
    except Exception as error:
        context.run(FAULTS.error, _log, "search failed", position=task.position, exc_info=error)
        # A failed search may leave its memory in an inconsistent state.
        return None, SearchFailedError(f"the search failed: {type(error).__name__}")


class Scheduler:
    """The worker threads and their queue. All methods must be called in the event loop that created it."""

    def __init__(
        self,
        workers: int,
        new_search: Callable[[], Search],
        metrics: SearchMetrics,
        on_endless: OnEndless = ignore,
    ) -> None:
        self.workers = workers
        self._on_endless = on_endless
        self._metrics = metrics
        self._metrics.workers.set(workers)
        self.on_free: Callable[[int], object] = ignore
        """Receives the number of workers that no search and no helper uses, whenever it may have changed."""
        self._new_search = new_search
        self._loop = asyncio.get_running_loop()
        self._admission = Admission(workers)
        self._jobs: dict[Entry, Job] = {}
        self._ready: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._clocks: list[Clock | None] = [None] * workers
        self._threads = [
            threading.Thread(target=self._work, args=(number,), name=f"search-{number}", daemon=True)
            for number in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    async def search(self, task: Task, entry: Entry, on_depth: OnDepth | None = None) -> Result:
        """Search until the entry's deadline, in `time.monotonic()` seconds, or end earlier for others.

        `on_depth` is called in the worker's thread. Cancelling stops the search. Raises OverloadedError if
        there is no time to search, and UnavailableError if the searcher is drained before a worker is free.
        Raises SearchFailedError if the search fails, and any RequestError of the search.
        """
        job = self._admit(task, entry, on_depth)
        self._advance()
        try:
            return await job.future
        finally:
            self._leave(job)

    async def drain(self, grace: float) -> None:
        """Wait for all accepted searches to finish, and stop them after `grace` seconds.

        Stopped searches return their last completed depth. Waiting searches raise UnavailableError.
        """
        await self._wait(grace)
        for job in list(self._jobs.values()):
            if job.clock is not None:
                job.clock.stop()
            else:
                settle(job.future, UnavailableError("the searcher is shutting down"))
        await self._wait(_STOP_TIME)

    def close(self) -> None:
        """End the worker threads after their current searches."""
        for _ in self._threads:
            self._ready.put(None)

    async def _wait(self, timeout: float) -> None:
        pending = [job.future for job in self._jobs.values() if not job.future.done()]
        if pending:
            await asyncio.wait(pending, timeout=timeout)

    def _admit(self, task: Task, entry: Entry, on_depth: OnDepth | None) -> Job:
        now = time.monotonic()
        if not self._admission.admit(entry, now):
            raise self._overloaded(is_short=entry.deadline - now < MIN_SHARE)
        future: asyncio.Future[Result] = self._loop.create_future()
        timer = self._at(entry.deadline - MIN_SHARE, self._expire, future)
        job = Job(task, entry, future, on_depth, timer, now)
        self._jobs[entry] = job
        return job

    def _advance(self) -> None:
        """Start every search that has a free worker, and update the ends of the running searches."""
        now, started = time.monotonic(), []
        while (entry := self._admission.start_next(now)) is not None:
            job = self._jobs[entry]
            job.clock = Clock(entry.deadline)
            job.timer.cancel()
            job.timer = self._at(entry.deadline, self._end_overdue, job)
            endless_from = entry.deadline + max(PATIENCE, _PATIENCE_TIMES * (entry.deadline - now))
            job.watchdog = self._at(endless_from, self._report_endless, job, endless_from)
            started.append(job)
        self._admission.lend([job.entry for job in started])
        for entry, end in self._admission.ends(now):
            if (clock := self._jobs[entry].clock) is not None:
                clock.limit(end)
                clock.helpers = entry.helpers
        for job in started:
            self._ready.put(job)
        self.on_free(self._admission.free)
        self._metrics.occupy(self._admission.running, len(self._jobs) - self._admission.running)

    def _at(self, moment: float, callback: Callable[..., None], *arguments: object) -> asyncio.TimerHandle:
        return self._loop.call_later(moment - time.monotonic(), callback, *arguments)

    def _expire(self, future: asyncio.Future[Result]) -> None:
        """Refuse a search for which no worker became free in time."""
        settle(future, self._overloaded())

    def _end_overdue(self, job: Job) -> None:
        """Return the last completed depth, if any, of a search that has not ended in time."""
        assert job.clock is not None
        overdue_from = job.clock.deadline + _OVERDUE
        if time.monotonic() < overdue_from:
            job.timer = self._at(overdue_from, self._end_overdue, job)
            return
        if job.latest is not None:
            reason = job.latest.stop_reason or StopReason.DEADLINE
            settle(job.future, replace(job.latest, stop_reason=reason))

    def _report_endless(self, job: Job, due: float) -> None:
        if (now := time.monotonic()) - due > LATE:
            # The whole process stood still, so the search may have had no time to end.
            again = now + PATIENCE
            job.watchdog = self._at(again, self._report_endless, job, again)
            return
        give_up(job.task, now - job.entry.deadline, job.future, self._on_endless)

    def _leave(self, job: Job) -> None:
        """End a job whose caller has left. A running search keeps its worker until it stops."""
        job.timer.cancel()
        if job.clock is None:
            self._forget(job)
        else:
            job.clock.stop()

    def _forget(self, job: Job) -> None:
        del self._jobs[job.entry]
        self._admission.remove(job.entry)
        self._advance()

    def _overloaded(self, is_short: bool = False) -> OverloadedError:
        """Return the error of a request without room. The next search to end makes room.

        `is_short`: the request would be too short for an idle searcher, too.
        """
        share, now = round(MIN_SHARE * 1000), time.monotonic()
        ends = [job.clock.deadline - now for job in self._jobs.values() if job.clock is not None]
        text = f"too many requests: a fair share of the time left is under {share} ms"
        if is_short:
            text = f"a search needs at least {share} ms: raise limits.time or the call's deadline"
        return OverloadedError(text, max(MIN_SHARE, min(ends, default=MIN_SHARE)))

    def _work(self, number: int) -> None:
        lower_priority()
        search: Search | None = None
        with suppress(Exception):  # repeated for the first search, whose caller receives the error
            search = self._new_search()
        while (job := self._ready.get()) is not None:
            self._clocks[number] = job.clock
            starved_before = starved_seconds()
            task = replace(job.task, limits=replace(job.task.limits, threads=job.entry.held))
            search, outcome = searched(
                search, self._new_search, task, job.clock, job.record_depth, job.context
            )
            job.starved = starved_seconds() - starved_before
            self._clocks[number] = None
            self._request_yield(True)
            # The event loop may be closed by now.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._finish, job, outcome)

    def _request_yield(self, needed: bool) -> None:
        """Make the running searches yield a core to the event loop while a result waits for its response.

        Otherwise the loop may wait for milliseconds behind a search, even if another core is idle.
        """
        for clock in self._clocks:
            if clock is not None:
                clock.yield_requested = needed

    def _finish(self, job: Job, outcome: Result | RequestError) -> None:
        self._request_yield(False)
        if job.watchdog is not None:
            job.watchdog.cancel()
        if job.future.done() and not job.future.cancelled():
            # The answer that the caller has got counts, and not that the search was stopped later.
            refusal = job.future.exception()
            outcome = refusal if isinstance(refusal, RequestError) else job.future.result()
        job.context.run(self._count, job, outcome if isinstance(outcome, Result) else None)
        settle(job.future, outcome)
        self._forget(job)

    def _count(self, job: Job, result: Result | None) -> None:
        entry, now = job.entry, time.monotonic()
        self._metrics.count(
            str(job.task.strategy),
            result,
            asked=entry.deadline - job.admitted,
            waited=entry.started - job.admitted,
            searched=now - entry.started,
            starved=job.starved,
            overrun=now - entry.deadline if entry.timed else 0.0,
        )
