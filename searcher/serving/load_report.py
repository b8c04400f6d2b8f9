"""The load of a searcher, reported in its answers, so that gRPC's clients can balance their calls.

It is an OrcaLoadReport (xds.data.orca.v3) in a trailer, as in gRFC A51 and A58. A client
with the policy `weighted_round_robin` gives each searcher the weight calls / (utilization + factor * refused
calls / calls), with its calls a second.
"""

import struct
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

TRAILER = "endpoint-load-metrics-bin"
"""The trailing metadata of an answer, and of a refusal without room."""

_WINDOW = 2.0
"""Seconds over which the load is averaged: some moves of each game."""

_RPS_FRACTIONAL, _EPS, _APPLICATION_UTILIZATION = 6, 7, 9
"""The numbers of the report's fields: calls and errors a second, and the utilization."""

_FIXED_64 = 1
"""The wire type of a double."""

_LEAST = 1e-3
"""The least time, in seconds, and the least utilization, because a client takes zero for a missing report."""

_LEAST_SPEED = 0.05


class _Moment(NamedTuple):
    """A moment, and the sums until then. Times are in seconds."""

    time: float
    calls: int
    refused: int
    demand: float
    """The integral of the number of searches that run or wait."""
    searched: float
    """The time of completed searches."""
    starved: float
    """The part of `searched` in which the searches waited for a processor."""


class LoadReport:
    """Reports calls a second, refusals a second, and searches for each worker with a whole processor.

    If all searches take equally long, calls divided by utilization are proportional to the number of workers,
    less the share of the processors that other programs use.
    """

    def __init__(self, demand: Callable[[], float], now: Callable[[], float] = time.monotonic) -> None:
        """`demand` returns the integral of the number of searches that run or wait, in seconds."""
        self._demand = demand
        self._now = now
        self._calls = self._refused = 0
        self._searched = self._starved = 0.0
        self._past = deque([self._moment()])

    def _moment(self) -> _Moment:
        sums = self._calls, self._refused, self._demand(), self._searched, self._starved
        return _Moment(self._now(), *sums)

    def count(self, searched: float, starved: float) -> None:
        """Count a completed search: its seconds, and the part of them without a processor."""
        self._searched += searched
        self._starved += starved

    def answer(self, workers: int, refused: bool = False) -> bytes:
        """Return the report for an answer or a refusal of a searcher with this number of workers."""
        self._calls += 1
        self._refused += refused
        now = self._moment()
        while len(self._past) > 1 and self._past[1].time <= now.time - _WINDOW:
            self._past.popleft()
        since = self._past[0]
        self._past.append(now)
        seconds = max(now.time - since.time, _LEAST)
        occupancy = (now.demand - since.demand) / seconds / workers
        report = _field(_RPS_FRACTIONAL, (now.calls - since.calls) / seconds)
        if now.refused > since.refused:
            report += _field(_EPS, (now.refused - since.refused) / seconds)
        utilization = max(occupancy / _speed(since, now), _LEAST)
        return report + _field(_APPLICATION_UTILIZATION, utilization)


def _speed(since: _Moment, now: _Moment) -> float:
    """Return the share of a processor that a running search had."""
    searched = now.searched - since.searched
    starved = (now.starved - since.starved) / searched if searched > 0 else 0.0
    return max(1.0 - starved, _LEAST_SPEED)


def _field(number: int, value: float) -> bytes:
    return bytes([number << 3 | _FIXED_64]) + struct.pack("<d", value)
