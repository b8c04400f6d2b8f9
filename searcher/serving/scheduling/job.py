"""An accepted request and the state of its search."""

import asyncio
import time
from contextvars import Context, copy_context
from dataclasses import dataclass, field

from searcher.engine.result import Result, StopReason
from searcher.engine.search.clock import Clock
from searcher.errors import RequestError
from searcher.interface import OnDepth, Task
from searcher.serving.metrics.searches import FAILED, Ended
from searcher.serving.scheduling.timetable import Entry


@dataclass(eq=False, slots=True)
class Job:
    """An accepted request and the state of its search. Times are those of `time.monotonic()`, in seconds."""

    task: Task
    entry: Entry
    future: asyncio.Future[Result]
    on_depth: OnDepth | None
    timer: asyncio.TimerHandle
    """Refuses a search that waits too long, then answers for one that runs too long."""
    admitted: float = field(default_factory=time.monotonic)
    context: Context = field(default_factory=copy_context)
    """That of the request, which names its trace and its game."""
    clock: Clock | None = None
    latest: Result | None = None
    """The result of the last completed depth."""
    starved: float = 0.0
    """How long the search has waited for a processor, in seconds, once it has ended."""

    def record_depth(self, result: Result) -> None:
        """Keep the result of a completed depth. Called in the worker's thread."""
        self.latest = result
        if self.on_depth is not None:
            self.on_depth(result)

    def ended(self, outcome: Result | RequestError, now: float) -> Ended:
        """Return what the metrics count of the search, which has ended with this outcome."""
        found = outcome if isinstance(outcome, Result) else None
        return Ended(
            strategy=str(self.task.strategy),
            stop_reason=(found.stop_reason or StopReason.DEADLINE).value if found else FAILED,
            depth=found.depth if found else 0,
            nodes=found.nodes if found else 0,
            asked=self.entry.deadline - self.admitted,
            waited=self.entry.started - self.admitted,
            searched=now - self.entry.started,
            starved=self.starved,
            overrun=now - self.entry.deadline if self.entry.timed else 0.0,
        )
