"""The deadline of a search, by its request, its call, its caller's token, or the default time.

A search ends by a margin before its call's own deadline.
"""

import time

from battlesnake_search.common.estimation import expected_delay
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

_FIRST_DELAY = 0.015
"""Seconds of delay assumed for a new connection. Programs are slow while they load their own code. A Node
client takes 15 to 35 ms to read its first response."""

_MOST_DELAY = 0.025
"""The longest delay learned, in seconds. A longer delay means a stalled machine, unlikely to recur."""

_MOST_SHARE = 0.5
"""The largest share of the time left that a margin may take."""

MOST_MARGIN = _MOST_RESERVE + _MOST_DELAY
"""The longest margin, in seconds, without the rounding of the call's deadline."""

_ROUNDINGS = ((1_000.0, 10.0), (100.0, 1.0), (10.0, 0.1), (1.0, 0.01))
"""The time of a call from which gRPC's C core rounds it up, and to a multiple of this time, in seconds.

The caller's own clock ends the call at the exact deadline, and the searcher knows only the rounded one.
"""

_LEAST_ROUNDING = 0.001

_ON_THE_WAY = 0.9
"""The least share of its time that a call still has when it arrives."""

MOST_CONNECTIONS = 1000
"""The limit of connections with stored delays. The connections with the latest calls are kept."""


class ResponseMargins:
    """The margins of calls, learned for each connection. The peer's address is the connection's name.

    A margin is the time from the end of a search to its call's own deadline, so that the caller gets the
    response. The deadline counts from the moment of the caller's call, and includes the time in which its
    program receives and reads the response. The searcher can't see these times. For each connection it learns
    the delay from the end of a search until the response is written or the call is over. A reserve covers
    everything else.
    """

    def __init__(self) -> None:
        self._delays: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._delays)

    def of(self, peer: str, remaining: float) -> float:
        """Return the margin for a call with this many seconds until its own deadline."""
        reserve = min(max(_LEAST_RESERVE, _RESERVE_SHARE * remaining), _MOST_RESERVE)
        return min(reserve + self._delays.get(peer, _FIRST_DELAY), _MOST_SHARE * remaining)

    def record(self, peer: str, delay: float) -> None:
        """Learn the delay of a call, in seconds from its search's end to its response or its deadline.

        The expected delay rises immediately and falls slowly. A call that was over before the end of its
        search has a delay below 0. Such a delay is not used.
        """
        if delay < 0:
            return
        expected = self._delays.pop(peer, _FIRST_DELAY)
        self._delays[peer] = min(expected_delay(expected, delay), _MOST_DELAY)
        if len(self._delays) > MOST_CONNECTIONS:
            del self._delays[next(iter(self._delays))]

    def latest_end(self, peer: str, remaining: float | None, arrival: float) -> float | None:
        """Return the end of a search by its call's own deadline, in `time.monotonic()` seconds.

        `remaining` is the number of seconds until that deadline. Without a deadline, `remaining` and the
        result are None. `arrival` is the time at which the call arrived.
        """
        if remaining is None:
            return None
        now = time.monotonic()
        exact = max(0.0, remaining - rounding(now + remaining - arrival))
        return now + exact - self.of(peer, exact)


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
