"""The two clocks of a search: soft (start no new depth) and hard (stop now)."""

import time
from typing import Any

import numpy as np
from numba import njit, types
from numpy.typing import NDArray

from searcher.engine.jit.intrinsics import peek

SOFT_SHARE = 0.97
"""Of the time allowed, the share after which no new depth is started."""

HARD, STOPPED, YIELD_REQUESTED = 0, 1, 2

POLL_EVERY = 512
"""Nodes between two looks at the clock."""

_CLOCK_MONOTONIC = 1
_clock_gettime = types.ExternalFunction(
    "clock_gettime", types.int32(types.int32, types.CPointer(types.int64))
)
_sched_yield = types.ExternalFunction("sched_yield", types.int32())


class Clock:
    """Says when a search has to end; may be moved or stopped from any thread while the search runs.

    Times are those of `time.monotonic()`, in seconds. `cells` is what the compiled search reads:
    the hard deadline in nanoseconds, whether it was stopped, and whether it is to make way.
    """

    def __init__(self, deadline: float) -> None:
        self.start = time.monotonic()
        self.words: NDArray[np.int64] = np.zeros(3, dtype=np.int64)
        self.limit(deadline)

    @property
    def deadline(self) -> float:
        """The hard deadline."""
        return float(self.words[HARD]) / 1e9

    @property
    def elapsed(self) -> float:
        """Seconds since the clock was made."""
        return time.monotonic() - self.start

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return bool(self.words[STOPPED])

    @property
    def allows_new_depth(self) -> bool:
        """Whether the soft deadline is still ahead, and nobody stopped the clock."""
        soft = self.start + SOFT_SHARE * (self.deadline - self.start)
        return not self.stopped and time.monotonic() < soft

    def limit(self, deadline: float) -> None:
        """Moves the hard deadline, and the soft one with it."""
        self.words[HARD] = int(min(deadline, 9e9) * 1e9)

    @property
    def yield_requested(self) -> bool:
        """Whether the search offers its core to other threads, at each look at the clock."""
        return bool(self.words[YIELD_REQUESTED])

    @yield_requested.setter
    def yield_requested(self, value: bool) -> None:
        self.words[YIELD_REQUESTED] = value

    def stop(self) -> None:
        """Ends the search at its next look at the clock."""
        self.words[STOPPED] = 1


@njit
def count_node(state: Any) -> bool:
    """Counts one node more and says so, unless the search has to end; looks at the clock now and then."""
    if state.nodes >= state.poll_at:
        poll(state)
    if state.stopped:
        return False
    state.nodes += 1
    return True


@njit
def poll(state: Any) -> None:
    """Looks at the clock and the node limit: sets `stopped` if the search has to end."""
    if peek(state.clock + np.uint64(8 * YIELD_REQUESTED)) != 0:
        _sched_yield()
    _clock_gettime(_CLOCK_MONOTONIC, state.now.ctypes)
    now = state.now[0] * 1_000_000_000 + state.now[1]
    late = now >= np.int64(peek(state.clock)) or peek(state.clock + np.uint64(8 * STOPPED)) != 0
    if late or state.nodes >= state.node_limit:
        state.stopped = 1
    state.poll_at = min(state.nodes + POLL_EVERY, state.node_limit)
