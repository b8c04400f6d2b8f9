"""The deadline of a search, by its request, its call, its caller's token, or the default time.

A search ends by a margin before its call's own deadline.
"""

import time

from searcher.interface import Task
from searcher.serving.scheduling.admission import Entry

DEFAULT_TIME = 0.4
"""Seconds of search if neither the request nor the call has a limit."""

LONGEST_UNTIMED = 60.0
"""Seconds after which a search limited by depth or nodes alone is stopped if the call has no deadline."""


_LEAST_RESERVE = 0.010
_RESERVE_SHARE = 0.1
_MOST_RESERVE = 0.025
"""The reserve is _RESERVE_SHARE * time left, clamped to _LEAST_RESERVE and _MOST_RESERVE, in seconds."""

_DELAY = 0.020
"""Seconds in which a caller receives and reads a response. The searcher can't see this time. A Node client
takes 15 to 35 ms to read its first response, and less for the next ones."""

_MOST_SHARE = 0.5
"""The largest share of the time left that a margin may take."""

MOST_MARGIN = _MOST_RESERVE + _DELAY
"""The longest margin, in seconds, without the rounding of the call's deadline."""

_ROUNDINGS = ((1_000.0, 10.0), (100.0, 1.0), (10.0, 0.1), (1.0, 0.01))
"""The time of a call from which gRPC's C core rounds it up, and to a multiple of this time, in seconds.

The caller's own clock ends the call at the exact deadline, and the searcher knows only the rounded one.
"""

_LEAST_ROUNDING = 0.001

_ON_THE_WAY = 0.9
"""The least share of its time that a call still has when it arrives."""


def margin_of(remaining: float) -> float:
    """Return the time between a search's end and its call's own deadline, this many seconds from now.

    The margin is the caller's delay and a reserve for everything else.
    """
    reserve = min(max(_LEAST_RESERVE, _RESERVE_SHARE * remaining), _MOST_RESERVE)
    return min(reserve + _DELAY, _MOST_SHARE * remaining)


def latest_end(remaining: float | None, arrival: float) -> float | None:
    """Return the end of a search by its call's own deadline, in `time.monotonic()` seconds.

    `remaining` is the number of seconds until that deadline. Without a deadline, `remaining` and the result
    are None. `arrival` is the time at which the call arrived.
    """
    if remaining is None:
        return None
    now = time.monotonic()
    exact = max(0.0, remaining - rounding(now + remaining - arrival))
    return now + exact - margin_of(exact)


def rounding(seconds: float) -> float:
    """Return the most seconds by which a call's time was rounded up if it arrived with this time left."""
    return next((step for least, step in _ROUNDINGS if seconds >= _ON_THE_WAY * least), _LEAST_ROUNDING)


def entry_of_task(task: Task, arrival: float, latest: float | None, longest: float | None = None) -> Entry:
    """Return the entry of the request, with its deadline in `time.monotonic()` seconds.

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
    return Entry(
        end if longest is None else min(end, arrival + longest),
        not repeatable,
        task.limits.threads,
        takes_idle=task.takes_idle,
    )
