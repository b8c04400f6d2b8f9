"""Autoscalers: their measurements, and the rules by which Kubernetes turns them into a number of pods.

The rules follow a HorizontalPodAutoscaler of autoscaling/v2, without its minutes-long protection of new pods.
The protection applies to CPU alone, and only makes scaling by CPU slower.
"""

import math
from collections import deque
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

SYNC = 15.0
"""Seconds between two decisions of an autoscaler."""

TOLERANCE = 0.1
"""The deviation from the target ratio that the autoscaler ignores."""


class Signal(Enum):
    """The measurement of an autoscaler."""

    CPU = "the share of a pod's cores that is busy"
    OCCUPANCY = "searches that run or wait for each core of a pod"
    DEMAND = "moves of all gateways that wait for a search"


@dataclass(frozen=True)
class Policy:
    """At most so many pods, or so many percent of the pods, in a period of seconds."""

    period: float
    pods: int = 0
    percent: int = 0

    def change(self, pods: int) -> int:
        """Return by how many pods the number at the start of a period may change."""
        return max(self.pods, math.ceil(pods * self.percent / 100))


@dataclass(frozen=True)
class Bounds:
    """The bounds of an autoscaler: pods, and the policies for adding and removing them.

    Pods are removed down to the highest number that was desired within the `window`.
    """

    least: int
    most: int
    up: Policy
    down: Policy = Policy(60, percent=50)
    window: float = 300.0


@dataclass(frozen=True)
class Zero:
    """When KEDA starts the first pods and removes the last ones. Times are in seconds.

    KEDA polls every `polling`. It starts pods if there is a game, and removes all pods if there was none for
    `cooldown`.
    """

    polling: float = 5.0
    cooldown: float = 360.0


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


STEPWISE = Bounds(2, 20, up=Policy(15, pods=4, percent=100))
"""Twice as many pods, or four more, in a quarter of a minute: the default of Kubernetes."""

AT_ONCE = Bounds(2, 20, up=Policy(15, pods=20))
"""For a signal that says how many pods are missing."""

CPU = Plan(Signal.CPU, 0.7, interval=15, window=15, bounds=STEPWISE)
OCCUPANCY = Plan(Signal.OCCUPANCY, 1.0, interval=5, window=30, bounds=AT_ONCE)
DEMAND = Plan(Signal.DEMAND, 1.0, interval=1, window=1, bounds=AT_ONCE)


def by_average(
    readings: Sequence[float], target: float, missing: int, unready: int, missing_value: float
) -> int:
    """Return the number of pods for which the average reading would be the target.

    `missing` pods are ready, but have no reading yet: they count as 0 where pods would be added, and as
    `missing_value` where pods would be removed. `unready` pods count as 0 where pods would be added. Neither
    kind turns an addition into a removal, or a removal into an addition. Without any reading nothing changes.
    """
    count = len(readings) + missing + unready
    if not readings:
        return count
    ratio = sum(readings) / len(readings) / target
    if not missing and not (unready and ratio > 1):
        return count if _is_near(ratio) else _ceil(ratio * len(readings))
    assumed = missing_value * missing if ratio < 1 else 0.0
    counted = len(readings) + missing + (unready if ratio > 1 else 0)
    corrected = (sum(readings) + assumed) / counted / target
    if _is_near(corrected) or (corrected > 1) != (ratio > 1):
        return count
    return _ceil(corrected * counted)


def by_total(total: float, target: float, count: int) -> int:
    """Return the number of pods at which each has the target share of a total; `count` if that is near."""
    return count if _is_near(total / (target * count)) else _ceil(total / target)


def _is_near(ratio: float) -> bool:
    return abs(ratio - 1) <= TOLERANCE


def _ceil(value: float) -> int:
    # Kubernetes computes with thousandths, so that 2.0000000001 is 2.
    return math.ceil(round(value, 3))


class Replicas:
    """The number of pods that an autoscaler requests, decision by decision."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self._wishes: list[tuple[float, int]] = []
        self._changes: list[tuple[float, int]] = []

    def decide(self, now: float, count: int, desired: int) -> int:
        """Return the number of pods from now on, from the present `count` and the desired number."""
        bounds = self.bounds
        self._wishes = [(at, wish) for at, wish in self._wishes if at > now - bounds.window]
        stable = max([desired, *(wish for _, wish in self._wishes)]) if desired < count else desired
        self._wishes.append((now, desired))
        stable = min(max(stable, bounds.least), bounds.most)
        decided = min(max(stable, self._lowest(now, count)), self._highest(now, count))
        decided = max(decided, bounds.least)
        if decided != count:
            self._changes.append((now, decided - count))
        return decided

    def _highest(self, now: float, count: int) -> int:
        up = self.bounds.up
        start = count - sum(max(change, 0) for at, change in self._changes if at > now - up.period)
        return max(count, start + up.change(start))

    def _lowest(self, now: float, count: int) -> int:
        down = self.bounds.down
        start = count - sum(min(change, 0) for at, change in self._changes if at > now - down.period)
        return min(count, start - down.change(start))


class Counters:
    """The last readings of counters, over a window of seconds."""

    def __init__(self, window: float) -> None:
        self._window = window
        self._readings: dict[Hashable, deque[tuple[float, float]]] = {}

    def read(self, now: float, values: Mapping[Hashable, float]) -> None:
        """Read the values of all present counters."""
        kept = {key: self._readings.get(key, deque()) for key in values}
        for key, value in values.items():
            kept[key].append((now, value))
            while kept[key][0][0] < now - self._window - 1e-6:
                kept[key].popleft()
        self._readings = kept

    def rates(self) -> dict[Hashable, float]:
        """Return the increase a second of each counter that has been read twice."""
        return {
            key: (readings[-1][1] - readings[0][1]) / (readings[-1][0] - readings[0][0])
            for key, readings in self._readings.items()
            if len(readings) > 1
        }


class Autoscaler:
    """An autoscaler at work, on pods with so many cores each.

    Its counters are each pod's busy cores or searches, for each core. DEMAND has one, with the key None.
    """

    def __init__(self, plan: Plan, cores: int) -> None:
        self.plan, self._cores = plan, cores
        self._replicas, self.counters = Replicas(plan.bounds), Counters(plan.window)

    def decide(self, now: float, ready: Sequence[Hashable], starting: int) -> int:
        """Return the number of pods from now on."""
        return self._replicas.decide(now, len(ready) + starting, self._desired(ready, starting))

    def _desired(self, ready: Sequence[Hashable], starting: int) -> int:
        rates, target = self.counters.rates(), self.plan.target
        if self.plan.signal is Signal.DEMAND:
            return by_total(rates.get(None, 0.0), target * self._cores, len(ready) + starting)
        readings = [rates[pod] for pod in ready if pod in rates]
        missing = len(ready) - len(readings)
        if self.plan.signal is Signal.CPU:
            # Until a new pod's processor time has been measured, it counts as one that is not ready yet.
            missing, starting = 0, starting + missing
        return by_average(readings, target, missing, starting, target)
