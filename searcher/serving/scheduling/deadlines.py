"""The deadline of a search, by its request, its call, its caller's token, or the default time."""

import time

from searcher.interface import Task
from searcher.serving.scheduling.margins import ResponseMargins
from searcher.serving.scheduling.timetable import Entry

DEFAULT_TIME = 0.4
"""Seconds of search if neither the request nor the call has a limit."""

LONGEST_UNTIMED = 60.0
"""Seconds after which a search limited by depth or nodes alone is stopped if the call has no deadline."""


def latest_end(margins: ResponseMargins, peer: str, remaining: float | None) -> float | None:
    """Return the end of a search by its call's own deadline, in `time.monotonic()` seconds.

    `remaining` is the number of seconds until that deadline. Without a deadline, `remaining` and the result
    are None.
    """
    return None if remaining is None else time.monotonic() + remaining - margins.of(peer, remaining)


def timetable_entry(task: Task, arrival: float, latest: float | None, longest: float | None = None) -> Entry:
    """Return the request's entry in the timetable, with its deadline in `time.monotonic()` seconds.

    `latest` is the end of the search by the call's own deadline, or None without a deadline. A search limited
    by depth or nodes alone isn't timed, because it must be repeatable. For it `latest` is only an upper
    bound. `longest` is the longest search in seconds by the caller's token, or None without a limit.
    """
    repeatable = task.time is None and (task.limits.depth is not None or task.limits.nodes is not None)
    ends = [] if task.time is None else [arrival + task.time]
    if latest is not None:
        ends.append(latest)
    fallback = arrival + (LONGEST_UNTIMED if repeatable else DEFAULT_TIME)
    end = min(ends, default=fallback)
    return Entry(end if longest is None else min(end, arrival + longest), not repeatable, task.limits.threads)
