"""How the autoscaler of Kubernetes turns measurements into a number of pods, and how fast it may change it.

These are the rules of a HorizontalPodAutoscaler of autoscaling/v2, without its minutes-long protection of new
pods, which applies to CPU alone and only makes that slower.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

SYNC = 15.0
"""Seconds between two decisions of an autoscaler."""

TOLERANCE = 0.1
"""The deviation from the target ratio that the autoscaler ignores."""


def by_average(
    readings: Sequence[float], target: float, missing: int, unready: int, missing_value: float
) -> int:
    """Return the number of pods for which the average reading would be the target.

    `missing` pods are ready, but have no reading yet: they count as 0 where pods would be added, and as
    `missing_value` where pods would be removed. `unready` pods count as 0 where pods would be added. Neither
    can turn one into the other. Without any reading nothing changes.
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
    """Return the number of pods of which each gets the target of a total; `count` if that is about right."""
    return count if _is_near(total / (target * count)) else _ceil(total / target)


def _is_near(ratio: float) -> bool:
    return abs(ratio - 1) <= TOLERANCE


def _ceil(value: float) -> int:
    # Kubernetes computes with thousandths, so that 2.0000000001 is 2.
    return math.ceil(round(value, 3))


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
    """The bounds of an autoscaler: pods, and policies, of which the one that allows most counts.

    Pods are removed down to the highest number that was desired within the `window`.
    """

    least: int
    most: int
    up: tuple[Policy, ...]
    down: tuple[Policy, ...] = (Policy(60, percent=50),)
    window: float = 300.0


class Replicas:
    """The number of pods that an autoscaler requests, decision by decision."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self._wishes: list[tuple[float, int]] = []
        self._changes: list[tuple[float, int]] = []

    def decide(self, now: float, count: int, desired: int) -> int:
        """Return the number of pods from now on, where there are `count` and measurements desire another."""
        self._wishes = [(at, wish) for at, wish in self._wishes if at > now - self.bounds.window]
        stable = max([desired, *(wish for _, wish in self._wishes)]) if desired < count else desired
        self._wishes.append((now, desired))
        stable = min(max(stable, self.bounds.least), self.bounds.most)
        decided = min(stable, self._highest(now, count)) if stable > count else stable
        decided = max(decided, self._lowest(now, count)) if stable < count else decided
        decided = max(decided, self.bounds.least)
        if decided != count:
            self._changes.append((now, decided - count))
        return decided

    def _highest(self, now: float, count: int) -> int:
        starts = ((policy, count - self._added(now - policy.period)) for policy in self.bounds.up)
        return max(count, *(start + policy.change(start) for policy, start in starts))

    def _lowest(self, now: float, count: int) -> int:
        starts = ((policy, count + self._removed(now - policy.period)) for policy in self.bounds.down)
        return min(count, *(start - policy.change(start) for policy, start in starts))

    def _added(self, since: float) -> int:
        return sum(change for at, change in self._changes if at > since and change > 0)

    def _removed(self, since: float) -> int:
        return -sum(change for at, change in self._changes if at > since and change < 0)
