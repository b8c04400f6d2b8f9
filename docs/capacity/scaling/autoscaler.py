"""Autoscalers by what they measure: processor time, searches on pods, or searches that gateways wait for."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from docs.capacity.scaling.counters import Counters
from docs.capacity.scaling.replicas import Bounds, Policy, Replicas, by_average, by_total


class Signal(Enum):
    """What an autoscaler measures."""

    CPU = "the share of a pod's cores that is busy, by the metrics server"
    OCCUPANCY = "searches that run or wait for each core of a pod, by Prometheus and its adapter"
    DEMAND = "searches that the moves of all gateways wait for, by a scaler of KEDA"


class Measured(Protocol):
    """A pod as its metrics show it."""

    cores: int
    busy: float
    """Core seconds in which its cores were busy."""
    demand: float
    """Seconds of all its searches, running or waiting: two at once count twice."""


@dataclass(frozen=True)
class Zero:
    """When KEDA removes the last pods. Times are in seconds.

    The scaler calls its gateways active until `quiet` after the last game, and reports a change at once. KEDA
    removes all pods when it asks, every `polling`, and the scaler has been inactive for `cooldown`.
    """

    quiet: float = 60.0
    polling: float = 10.0
    cooldown: float = 300.0


@dataclass(frozen=True)
class Plan:
    """An autoscaler's settings.

    It reads counters every `interval` seconds, and takes their rates over a `window`. `target` is for each
    core: the share of it that is busy, or its searches.
    """

    signal: Signal
    target: float
    interval: float
    window: float
    bounds: Bounds
    zero: Zero | None = None


STEPWISE = Bounds(2, 20, up=(Policy(15, pods=4, percent=100),))
"""Twice as many pods, or four more, in a quarter of a minute: the default of Kubernetes."""

AT_ONCE = Bounds(2, 20, up=(Policy(15, pods=20),))
"""For a signal that tells how many pods are missing."""

CPU = Plan(Signal.CPU, 0.7, interval=15, window=15, bounds=STEPWISE)
OCCUPANCY = Plan(Signal.OCCUPANCY, 1.0, interval=5, window=30, bounds=AT_ONCE)
DEMAND = Plan(Signal.DEMAND, 1.0, interval=1, window=5, bounds=AT_ONCE)


class Autoscaler:
    """An autoscaler at work, on pods with so many cores each."""

    def __init__(self, plan: Plan, cores: int) -> None:
        self.plan, self._cores = plan, cores
        self._replicas = Replicas(plan.bounds)
        self._pods: Counters[Measured] = Counters(plan.window)
        self._total: Counters[None] = Counters(plan.window)

    def read(self, now: float, pods: Sequence[Measured], waited: float) -> None:
        """Read the counters of all ready pods, and the seconds for which moves have waited for searches."""
        if self.plan.signal is Signal.DEMAND:
            self._total.read(now, {None: waited})
        else:
            self._pods.read(now, {pod: self._counter(pod) / pod.cores for pod in pods})

    def decide(self, now: float, ready: Sequence[Measured], starting: int) -> int:
        """Return how many pods there shall be."""
        count = len(ready) + starting
        return self._replicas.decide(now, count, self._desired(ready, starting))

    def _counter(self, pod: Measured) -> float:
        return pod.busy if self.plan.signal is Signal.CPU else pod.demand

    def _desired(self, ready: Sequence[Measured], starting: int) -> int:
        target = self.plan.target
        if self.plan.signal is Signal.DEMAND:
            count = len(ready) + starting
            return by_total(self._total.rates().get(None, 0.0), target * self._cores, count)
        rates = self._pods.rates()
        readings = [rates[pod] for pod in ready if pod in rates]
        missing, missing_value = len(ready) - len(readings), target
        if self.plan.signal is Signal.CPU:
            # Until a new pod's processor time has been measured, it counts as one that is not ready yet.
            missing, starting = 0, starting + missing
        return by_average(readings, target, missing, starting, missing_value)
