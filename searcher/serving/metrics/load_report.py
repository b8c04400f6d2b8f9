"""The load of a searcher as its answers report it, by which gRPC's clients balance their calls.

It is an OrcaLoadReport (xds.data.orca.v3) in a trailer, as gRFC A51 and A58 have it. The policy
`weighted_round_robin` weighs a searcher by its calls a second divided by its utilization.
"""

import struct
import time
from collections import deque
from collections.abc import Callable

TRAILER = "endpoint-load-metrics-bin"
"""The trailing metadata of an answer."""

_WINDOW = 2.0
"""Seconds over which the load is averaged: some moves of each game."""

_RPS_FRACTIONAL, _APPLICATION_UTILIZATION = 6, 9
"""The numbers of the report's fields."""

_FIXED_64 = 1
"""The wire type of a double."""


class LoadReport:
    """Reports calls a second, and searches for each worker.

    `demand` returns the integral of the searches that run or wait, in seconds. Where searches take the same
    time, the quotient of both is the number of workers, less what other callers take of them.
    """

    def __init__(self, demand: Callable[[], float], now: Callable[[], float] = time.monotonic) -> None:
        self._demand = demand
        self._now = now
        self._answers = 0
        self._before = deque([(now(), 0, demand())])
        """When calls were answered, and the number of answers and the demand until then."""

    def answer(self, workers: int) -> bytes:
        """Return the report for an answer of a searcher with so many workers."""
        now, demand = self._now(), self._demand()
        self._answers += 1
        while len(self._before) > 1 and self._before[1][0] <= now - _WINDOW:
            self._before.popleft()
        since, answers, demand_then = self._before[0]
        self._before.append((now, self._answers, demand))
        seconds = max(now - since, 1e-3)
        utilization = max((demand - demand_then) / seconds / workers, 1e-3)
        return _field(_RPS_FRACTIONAL, (self._answers - answers) / seconds) + _field(
            _APPLICATION_UTILIZATION, utilization
        )


def _field(number: int, value: float) -> bytes:
    return bytes([number << 3 | _FIXED_64]) + struct.pack("<d", value)
