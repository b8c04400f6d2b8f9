"""Runs searches on worker threads, off the event loop, as the timetable says."""

import asyncio
import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import structlog

from searcher.engine.result import Result, StopReason
from searcher.engine.search.clock import Clock
from searcher.errors import OverloadedError, RequestError, SearchFailedError, UnavailableError
from searcher.interface import OnDepth, Search, Task
from searcher.serving.timetable import MIN_SHARE, Entry, Timetable

_STOPPING = 1.0
"""Seconds for stopped searches to answer: two hundred times what they need."""

_PATIENCE = 0.002
"""Seconds after its end at which a search is answered for with its last completed depth. On busy cores its
thread may have to wait for longer than that until it notices."""

_NICENESS = 5
"""Of searches, on top of the process's own. Requests and answers pass through threads that sleep most of the
time; on busy cores they would wait up to milliseconds for a search to be interrupted."""

_log = structlog.get_logger()


def available_cores(cpu_max: Path = Path("/sys/fs/cgroup/cpu.max")) -> int:
    """The cores this process may use: by its affinity and, in a container, by its quota; at least 1."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = cpu_max.read_text().split()
        return max(1, min(cores, round(int(quota) / int(period))))
    except (OSError, ValueError):  # no cgroup, or its quota is "max"
        return cores


@dataclass(eq=False, slots=True)
class _Job:
    task: Task
    entry: Entry
    future: asyncio.Future[Result]
    on_depth: OnDepth | None
    clock: Clock | None = None
    expiry: asyncio.TimerHandle | None = None
    latest: Result | None = None
    """Of the last completed depth."""

    def hear(self, result: Result) -> None:
        """Takes note of a completed depth, in the worker's thread."""
        self.latest = result
        if self.on_depth is not None:
            self.on_depth(result)


class Scheduler:
    """Worker threads and the queue before them. All methods are for the event loop it was made in."""

    def __init__(self, workers: int, new_search: Callable[[], Search]) -> None:
        self.workers = workers
        self._new_search = new_search
        self._loop = asyncio.get_running_loop()
        self._timetable = Timetable(workers)
        self._jobs: dict[Entry, _Job] = {}
        self._ready: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._clocks: list[Clock | None] = [None] * workers
        self._threads = [
            threading.Thread(target=self._work, args=(number,), name=f"search-{number}", daemon=True)
            for number in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    async def search(
        self, task: Task, deadline: float, *, timed: bool, on_depth: OnDepth | None = None
    ) -> Result:
        """Searches by `deadline`, in `time.monotonic()` seconds; less long when others wait, if `timed`.

        `on_depth` is called in the worker's thread. Cancelling stops the search. Raises OverloadedError when
        there is no time to search in, UnavailableError when drained before a worker was free,
        SearchFailedError when the search itself broke down, and any RequestError that it raises.
        """
        job = self._admit(task, Entry(deadline, timed, task.limits.threads), on_depth)
        self._advance()
        try:
            return await job.future
        finally:
            self._leave(job)

    async def drain(self, grace: float) -> None:
        """Lets all accepted searches finish; stops those that last longer than `grace` seconds.

        Those that run then answer what they have; those that still wait get UnavailableError.
        """
        await self._wait(grace)
        for job in list(self._jobs.values()):
            if job.clock is not None:
                job.clock.stop()
            elif not job.future.done():
                job.future.set_exception(UnavailableError("the searcher is shutting down"))
        await self._wait(_STOPPING)

    def close(self) -> None:
        """Ends the worker threads, once they have finished what they search."""
        for _ in self._threads:
            self._ready.put(None)

    async def _wait(self, timeout: float) -> None:
        pending = [job.future for job in self._jobs.values() if not job.future.done()]
        if pending:
            await asyncio.wait(pending, timeout=timeout)

    def _admit(self, task: Task, entry: Entry, on_depth: OnDepth | None) -> _Job:
        now = time.monotonic()
        if not self._timetable.admit(entry, now):
            raise _overloaded()
        job = _Job(task, entry, self._loop.create_future(), on_depth)
        self._call_at(entry.deadline - MIN_SHARE, self._expire, job)
        self._jobs[entry] = job
        return job

    def _advance(self) -> None:
        """Starts whom a worker is free for, and tells the running ones their new ends."""
        now, started = time.monotonic(), []
        while (entry := self._timetable.start_next(now)) is not None:
            job = self._jobs[entry]
            job.clock = Clock(entry.deadline)
            self._call_at(entry.deadline, self._answer_for, job)
            started.append(job)
        for entry, end in self._timetable.ends(now):
            if (clock := self._jobs[entry].clock) is not None:
                clock.limit(end)
        for job in started:
            self._ready.put(job)

    def _call_at(self, moment: float, expire: Callable[[_Job], None], job: _Job) -> None:
        """Has a job expire at this moment and at no other."""
        if job.expiry is not None:
            job.expiry.cancel()
        job.expiry = self._loop.call_later(moment - time.monotonic(), expire, job)

    def _expire(self, job: _Job) -> None:
        """Refuses a search that no worker was free for in time."""
        if not job.future.done():
            job.future.set_exception(_overloaded())

    def _answer_for(self, job: _Job) -> None:
        """Answers with the last completed depth, if there is one, for a search that does not end."""
        assert job.clock is not None
        late_from = job.clock.deadline + _PATIENCE
        if time.monotonic() < late_from:
            self._call_at(late_from, self._answer_for, job)
        elif job.latest is not None and not job.future.done():
            reason = job.latest.stop_reason or StopReason.DEADLINE
            job.future.set_result(replace(job.latest, stop_reason=reason))

    def _leave(self, job: _Job) -> None:
        """The caller has its answer or went away; a search that runs keeps its worker until it notices."""
        if job.expiry is not None:
            job.expiry.cancel()
        if job.clock is None:
            self._forget(job)
        else:
            job.clock.stop()

    def _forget(self, job: _Job) -> None:
        del self._jobs[job.entry]
        self._timetable.remove(job.entry)
        self._advance()

    def _work(self, number: int) -> None:
        _step_back()
        search: Search | None = None
        with suppress(Exception):  # tried again for the first search, whose caller hears of it
            search = self._new_search()
        while (job := self._ready.get()) is not None:
            self._clocks[number] = job.clock
            try:
                search = search or self._new_search()
                outcome: Result | RequestError = self._run(search, job)
            except RequestError as error:
                outcome = error
            except Exception as error:
                # What broke down in mid-search may have left its memory in disorder.
                search, outcome = None, SearchFailedError(f"the search failed: {type(error).__name__}")
                _log.error("search failed", position=job.task.position, exc_info=error)
            self._clocks[number] = None
            self._have_way_made(True)
            self._loop.call_soon_threadsafe(self._finish, job, outcome)

    def _have_way_made(self, needed: bool) -> None:
        """Has the searches that run let the event loop have a core, while one that ended is to be answered.

        Else it may wait behind one of them, for milliseconds and with another core idle.
        """
        for clock in self._clocks:
            if clock is not None:
                clock.yield_requested = needed

    def _run(self, search: Search, job: _Job) -> Result:
        assert job.clock is not None
        limits = replace(job.task.limits, threads=job.entry.held)
        return search(job.task.position, job.task.strategy, limits, job.clock, job.hear)

    def _finish(self, job: _Job, outcome: Result | RequestError) -> None:
        self._have_way_made(False)
        if job.future.done():
            pass  # answered for, or the caller went away
        elif isinstance(outcome, RequestError):
            job.future.set_exception(outcome)
        else:
            job.future.set_result(outcome)
        self._forget(job)


def _step_back() -> None:
    """Lets the process's other threads go before the one that calls, and those that it will start."""
    if sys.platform == "linux":  # elsewhere niceness is the whole process's
        os.nice(_NICENESS)
        # A search that wakes interrupts nobody: else the answer of the one before it would wait.
        with suppress(OSError):  # some sandboxes know no policies
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def _overloaded() -> OverloadedError:
    share = round(MIN_SHARE * 1000)
    return OverloadedError(f"too many requests: a fair share of the time left is under {share} ms")
