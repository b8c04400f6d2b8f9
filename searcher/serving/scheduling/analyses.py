"""Searches for analyses, on workers that no other search needs.

An analysis has threads of its own, so a request for a move never waits for an analysis. When other searches
need the workers, the analyses end the next time they read their clock, and begin again when workers are free.
"""

import asyncio
import queue
import threading
import time
from bisect import insort
from collections.abc import Callable
from contextlib import suppress
from contextvars import Context, copy_context
from dataclasses import dataclass, field

from battlesnake_search.serving.errors import RequestError
from searcher.engine.result import Result, StopReason
from searcher.engine.search.clock import Clock
from searcher.errors import UnavailableError
from searcher.interface import Search, Task
from searcher.serving.metrics import AnalysisMetrics
from searcher.serving.scheduling.scheduler import (
    LATE,
    PATIENCE,
    OnEndless,
    Scheduler,
    give_up,
    ignore,
    lower_priority,
    searched,
    settle,
)

_KEPT = 5.0
"""Seconds without an analysis after which a thread releases its search, because its table takes 16 MB."""


@dataclass(eq=False, slots=True)
class _Analysis:
    """A search for an analysis. `seconds` is its longest time, from its last start on a worker."""

    task: Task
    seconds: float
    rank: tuple[int, int]
    """The analysis with the lowest rank is the first to get a free worker."""
    future: asyncio.Future[Result]
    context: Context = field(default_factory=copy_context)
    """The context of the request, with its trace and its game."""
    clock: Clock | None = None
    """The clock of the running search, or None while the analysis waits."""
    gives_back: bool = False
    """Whether the search was stopped because others want the worker."""
    watchdog: asyncio.TimerHandle | None = None


class IdleSearches:
    """The analyses on a scheduler's free workers.

    All methods must be called in the scheduler's event loop.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        new_search: Callable[[], Search],
        metrics: AnalysisMetrics,
        on_endless: OnEndless = ignore,
    ) -> None:
        self.workers = scheduler.workers
        self._new_search = new_search
        self._metrics = metrics
        self._on_endless = on_endless
        self._loop = asyncio.get_running_loop()
        self._free = scheduler.workers
        self._admitted = 0
        self._waiting: list[_Analysis] = []
        self._running: list[_Analysis] = []
        self._ready: queue.SimpleQueue[_Analysis | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._closed = False
        scheduler.on_free = self._lend

    async def search(self, task: Task, seconds: float, priority: int = 0) -> Result:
        """Search for at most `seconds` when a worker is free, on one thread. Cancelling stops the search.

        Raises UnavailableError if the searcher is drained, SearchFailedError if the search fails, and any
        RequestError of the search.
        """
        if self._closed:
            raise _shutting_down()
        self._admitted += 1
        rank = -priority, self._admitted
        analysis = _Analysis(task, seconds, rank, self._loop.create_future())
        self._wait(analysis)
        self._start()
        try:
            return await analysis.future
        finally:
            if analysis.clock is not None:
                self._stop(analysis)
            elif analysis in self._waiting:
                self._waiting.remove(analysis)
                self._count()

    def close(self) -> None:
        """Refuse all analyses, and end the threads after their searches."""
        self._closed = True
        for analysis in (*self._waiting, *self._running):
            settle(analysis.future, _shutting_down())
        for _ in self._threads:
            self._ready.put(None)

    def _lend(self, free: int) -> None:
        """Let the analyses have this many workers, and take back the other ones."""
        self._free = free
        staying = sorted((each for each in self._running if not each.gives_back), key=lambda each: each.rank)
        for analysis in staying[free:]:
            analysis.gives_back = True
            self._stop(analysis)
        self._start()

    def _stop(self, analysis: _Analysis) -> None:
        assert analysis.clock is not None
        analysis.clock.stop()
        self._watch_end(analysis, 0.0)

    def _wait(self, analysis: _Analysis) -> None:
        analysis.clock, analysis.gives_back = None, False
        insort(self._waiting, analysis, key=lambda each: each.rank)

    def _start(self) -> None:
        # A search that gives back its worker still uses a core.
        while self._waiting and len(self._running) < self._free:
            analysis = self._waiting.pop(0)
            analysis.clock = Clock(time.monotonic() + analysis.seconds)
            # The event loop must not wait for a core.
            analysis.clock.yield_requested = True
            self._running.append(analysis)
            self._watch_end(analysis, analysis.seconds)
            if len(self._threads) < len(self._running):
                self._add_thread()
            self._ready.put(analysis)
        self._count()

    def _count(self) -> None:
        self._metrics.occupy(len(self._running), len(self._waiting))

    def _add_thread(self) -> None:
        name = f"analysis-{len(self._threads)}"
        thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _watch_end(self, analysis: _Analysis, seconds: float) -> None:
        """Report a search that does not end within some time after these seconds."""
        if analysis.watchdog is not None:
            analysis.watchdog.cancel()
        due = self._loop.time() + seconds
        analysis.watchdog = self._loop.call_at(due + PATIENCE, self._report_endless, analysis, due)

    def _report_endless(self, analysis: _Analysis, due: float) -> None:
        late = self._loop.time() - due
        if late - PATIENCE > LATE:
            # The whole process stood still, so the search may have had no time to end.
            self._watch_end(analysis, 0.0)
            return
        give_up(analysis.task, late, analysis.future, self._on_endless)

    def _work(self) -> None:
        lower_priority()
        search: Search | None = None
        while True:
            try:
                analysis = self._ready.get(timeout=_KEPT if search else None)
            except queue.Empty:
                search = None
                continue
            if analysis is None:
                return
            begun = time.monotonic()
            search, outcome = searched(
                search, self._new_search, analysis.task, analysis.clock, None, analysis.context
            )
            # The event loop may be closed by now.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._finish, analysis, outcome, time.monotonic() - begun)

    def _finish(self, analysis: _Analysis, outcome: Result | RequestError, seconds: float) -> None:
        self._running.remove(analysis)
        if analysis.watchdog is not None:
            analysis.watchdog.cancel()
        found = outcome if isinstance(outcome, Result) else None
        was_stopped = found is not None and found.stop_reason is StopReason.CANCELLED
        if analysis.gives_back and was_stopped and not analysis.future.done():
            self._metrics.count_interrupted()
            self._wait(analysis)
        else:
            analysis.clock = None
            self._metrics.count(str(analysis.task.strategy), found, seconds)
            settle(analysis.future, outcome)
        self._start()


def _shutting_down() -> UnavailableError:
    return UnavailableError("the searcher is shutting down")
