"""The two clocks of a search: soft (start no new depth) and hard (stop now)."""

import time
from typing import Any

import numpy as np
from numba import njit, types
from numpy.typing import NDArray

from searcher.engine.memory import peek

SOFT_SHARE = 0.97
"""Of the time allowed, the share after which no new depth is started."""

HARD, STOPPED = 0, 1

POLL_EVERY = 512
"""Nodes between two looks at the clock."""

_CLOCK_MONOTONIC = 1
_clock_gettime = types.ExternalFunction(
    "clock_gettime", types.int32(types.int32, types.CPointer(types.int64))
)


class Clock:
    """Says when a search has to end; may be moved or stopped from any thread while the search runs.

    Times are those of `time.monotonic()`, in seconds. `cells` is what the compiled search reads:
    the hard deadline in nanoseconds, and whether it was stopped.
    """

    def __init__(self, deadline: float) -> None:
        self.start = time.monotonic()
        self.cells: NDArray[np.int64] = np.zeros(2, dtype=np.int64)
        self.limit(deadline)

    @property
    def deadline(self) -> float:
        """The hard deadline."""
        return float(self.cells[HARD]) / 1e9

    @property
    def elapsed(self) -> float:
        """Seconds since the clock was made."""
        return time.monotonic() - self.start

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return bool(self.cells[STOPPED])

    @property
    def allows_new_depth(self) -> bool:
        """Whether the soft deadline is still ahead, and nobody stopped the clock."""
        soft = self.start + SOFT_SHARE * (self.deadline - self.start)
        return not self.stopped and time.monotonic() < soft

    def limit(self, deadline: float) -> None:
        """Moves the hard deadline, and the soft one with it."""
        self.cells[HARD] = int(min(deadline, 9e9) * 1e9)

    def stop(self) -> None:
        """Ends the search at its next look at the clock."""
        self.cells[STOPPED] = 1


@njit
def counts_node(tree: Any) -> bool:
    """Counts one node more and says so, unless the search has to end; looks at the clock now and then."""
    if tree.nodes >= tree.poll_at:
        poll(tree)
    if tree.stopped:
        return False
    tree.nodes += 1
    return True


@njit
def poll(tree: Any) -> None:
    """Looks at the clock and the node limit: sets `stopped` if the search has to end."""
    _clock_gettime(_CLOCK_MONOTONIC, tree.now.ctypes)
    now = tree.now[0] * 1_000_000_000 + tree.now[1]
    late = now >= np.int64(peek(tree.clock)) or peek(tree.clock + np.uint64(8)) != 0
    if late or tree.nodes >= tree.node_limit:
        tree.stopped = 1
    tree.poll_at = min(tree.nodes + POLL_EVERY, tree.node_limit)
