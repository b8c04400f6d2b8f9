"""The two clocks of a search: soft (start no new depth) and hard (stop now)."""

import time

import numpy as np
from numpy.typing import NDArray

from searcher.engine.jit import intrinsics
from searcher.engine.jit.decorator import njit
from searcher.engine.jit.words import WORD_BYTES
from searcher.engine.search.state import State

SOFT_SHARE = 0.97
"""The share of the allowed time after which no new depth is started."""

HARD_DEADLINE, STOPPED, YIELD_REQUESTED, HELPERS = 0, 1, 2, 3
"""The indices of the clock's words."""

POLL_EVERY = 512
"""The number of nodes between two readings of the clock."""

_NANOSECONDS = 1_000_000_000
"""Nanoseconds in a second."""

_FOREVER = 9e9
"""The latest deadline in seconds. In nanoseconds it fits into a word."""

_CLOCK_MONOTONIC = 1
"""The clock of `time.monotonic()`, as the C library numbers it."""


class Clock:
    """Ends a search. Any thread may move the deadline or stop the clock while the search runs.

    Times are by `time.monotonic()`, in seconds. The compiled search reads `words`: the hard deadline in
    nanoseconds, whether the clock was stopped, whether the search should yield its core, and the number of
    helpers.
    """

    def __init__(self, deadline: float) -> None:
        self.start = time.monotonic()
        self.words: NDArray[np.int64] = np.zeros(4, dtype=np.int64)
        self.limit(deadline)

    @property
    def deadline(self) -> float:
        """The hard deadline."""
        return float(self.words[HARD_DEADLINE]) / _NANOSECONDS

    @property
    def elapsed(self) -> float:
        """Seconds since the clock was created."""
        return time.monotonic() - self.start

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return bool(self.words[STOPPED])

    @property
    def allows_new_depth(self) -> bool:
        """Whether the soft deadline is still ahead and the clock was not stopped."""
        soft = self.start + SOFT_SHARE * (self.deadline - self.start)
        return not self.stopped and time.monotonic() < soft

    def limit(self, deadline: float) -> None:
        """Move the hard deadline, and the soft deadline with it."""
        self.words[HARD_DEADLINE] = int(min(deadline, _FOREVER) * _NANOSECONDS)

    @property
    def yield_requested(self) -> bool:
        """Whether the search yields its core to other threads each time it reads the clock."""
        return bool(self.words[YIELD_REQUESTED])

    @yield_requested.setter
    def yield_requested(self, value: bool) -> None:
        self.words[YIELD_REQUESTED] = value

    @property
    def helpers(self) -> int:
        """The number of threads that the search may have beside the threads of its limits.

        It may fall while the search runs. A thread that is too many ends the next time it reads the clock.
        """
        return int(self.words[HELPERS])

    @helpers.setter
    def helpers(self, value: int) -> None:
        self.words[HELPERS] = value

    def stop(self) -> None:
        """End the search the next time it reads the clock."""
        self.words[STOPPED] = 1


@njit
def count_node(state: State) -> bool:
    """Count a node and return whether the search may go on. Poll the clock from time to time."""
    if state.nodes >= state.poll_at:
        poll(state)
    if state.stopped:
        return False
    state.nodes += 1
    return True


@njit
def poll(state: State) -> None:
    """Check the clock and the node limit, and set `stopped` if this thread's search has to end."""
    if intrinsics.peek(state.clock + np.uint64(WORD_BYTES * YIELD_REQUESTED)) != 0:
        intrinsics.sched_yield()
    intrinsics.clock_gettime(_CLOCK_MONOTONIC, state.now.ctypes)
    now = state.now[0] * _NANOSECONDS + state.now[1]
    late = now >= np.int64(intrinsics.peek(state.clock))
    stopped = intrinsics.peek(state.clock + np.uint64(WORD_BYTES * STOPPED)) != 0
    surplus = state.helper > np.int64(intrinsics.peek(state.clock + np.uint64(WORD_BYTES * HELPERS)))
    if late or stopped or surplus or state.nodes >= state.node_limit:
        state.stopped = 1
    state.poll_at = min(state.nodes + POLL_EVERY, state.node_limit)
