"""The rules of the autoscaler of Kubernetes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from docs.capacity.autoscaler import (
    AT_ONCE,
    CPU,
    DEMAND,
    OCCUPANCY,
    STEPWISE,
    Bounds,
    Counters,
    Policy,
    Replicas,
    Zero,
    by_average,
    by_total,
)

MANIFESTS = Path(__file__).parents[3] / "infra" / "kubernetes"


@pytest.mark.parametrize(
    ("readings", "unready", "pods"),
    [
        ([1.0, 1.0], 0, 3),  # 2 * 1.0 / 0.7, rounded up
        ([0.75, 0.7], 0, 2),  # within a tenth of the target
        ([0.2, 0.2, 0.2, 0.2], 0, 2),
        ([1.0, 1.0], 2, 4),  # the two pods that are starting suffice
        ([1.0, 1.0], 1, 3),  # 2 / 3 is within the target
        ([1.0, 1.0, 1.0, 1.0], 1, 6),
        ([0.35, 0.35], 2, 1),  # pods that are starting are no reason to keep others
        ([], 3, 3),
    ],
)
def test_pods_follow_the_average(readings: list[float], unready: int, pods: int) -> None:
    """The number of pods follows the reading divided by the target; starting pods count as idle."""
    assert by_average(readings, 0.7, 0, unready, 1.0) == pods


def test_pods_without_a_reading_are_assumed_to_change_nothing() -> None:
    """They count as idle where pods would be added, and as busy where pods would be removed."""
    assert by_average([27.0, 27.0], 1.0, missing=0, unready=0, missing_value=1.0) == 54
    assert by_average([27.0, 27.0], 1.0, missing=18, unready=0, missing_value=1.0) == 54
    assert by_average([0.25] * 4, 1.0, missing=4, unready=0, missing_value=1.0) == 5
    assert by_average([0.9, 0.9], 1.0, missing=20, unready=0, missing_value=1.0) == 22


def test_pods_follow_a_total() -> None:
    """Each pod gets the target of a total, unless the total is within a tenth of what the pods are for."""
    assert by_total(108, 2, 3) == 54
    assert by_total(6.5, 2, 3) == 3
    assert by_total(0, 2, 20) == 0


def test_pods_are_added_within_the_policies() -> None:
    """The larger part of a policy counts, for all changes within its period, up to the upper limit."""
    replicas = Replicas(Bounds(2, 20, up=Policy(15, pods=4, percent=100)))
    counts = [2]
    for now in (0.0, 5.0, 15.0, 30.0, 45.0):
        counts.append(replicas.decide(now, counts[-1], 54))
    assert counts == [2, 6, 6, 12, 20, 20]


def test_one_decision_is_enough_where_the_policy_allows_it() -> None:
    """A policy of twenty pods brings all of them at once."""
    assert Replicas(AT_ONCE).decide(0, 2, 54) == 20


def test_pods_are_removed_late_and_step_by_step() -> None:
    """The highest number of the window counts; then half of the pods go in a minute, to the lower limit."""
    replicas = Replicas(replace(STEPWISE, window=120))
    assert replicas.decide(0, 20, 16) == 16
    counts = {}
    count = 16
    for now in range(15, 300, 15):
        count = counts[now] = replicas.decide(now, count, 1)
    assert counts[105] == 16
    assert counts[120] == 8
    assert counts[165] == 8
    assert counts[180] == 4
    assert counts[240] == 2 == counts[285]


def test_a_rate_needs_two_readings() -> None:
    """Rates are those of the window, of counters that still exist."""
    counters = Counters(window=10)
    counters.read(0, {"old": 0.0, "gone": 0.0})
    assert counters.rates() == {}
    counters.read(5, {"old": 5.0, "gone": 1.0})
    counters.read(10, {"old": 20.0, "new": 7.0})
    assert counters.rates() == {"old": 2.0}
    counters.read(20, {"old": 40.0, "new": 8.0})
    assert counters.rates() == {"old": 2.0, "new": 0.1}


def _documents(kind: str) -> list[dict[str, Any]]:
    """Return the documents of a kind that scale the searcher."""
    files = sorted(MANIFESTS.rglob("*.yaml"))
    documents = (each for file in files for each in yaml.safe_load_all(file.read_text()))
    return [
        each
        for each in documents
        if each
        and each.get("kind") == kind
        and each.get("spec", {}).get("scaleTargetRef", {}).get("name") == "searcher"
    ]


def _policies(behavior: dict[str, Any]) -> Policy:
    """Return policies of one period as one."""
    values = {each["type"]: each["value"] for each in behavior["policies"]}
    [period] = {each["periodSeconds"] for each in behavior["policies"]}
    return Policy(period, values.get("Pods", 0), values.get("Percent", 0))


def _bounds(least: int, most: int, behavior: dict[str, Any]) -> Bounds:
    down = behavior["scaleDown"]
    return Bounds(
        least,
        most,
        _policies(behavior["scaleUp"]),
        _policies(down),
        down["stabilizationWindowSeconds"],
    )


def test_the_simulated_autoscaler_is_the_one_of_the_manifests() -> None:
    """Target, limits, policies and window of the searchers' autoscaler are those that are simulated."""
    for document in _documents("HorizontalPodAutoscaler"):
        spec = document["spec"]
        [metric] = spec["metrics"]
        plan = CPU if metric["type"] == "Resource" else OCCUPANCY
        target = (metric.get("resource") or metric["pods"])["target"]
        value = target.get("averageUtilization", 0) / 100 or float(target["averageValue"])
        assert value == plan.target
        assert _bounds(spec["minReplicas"], spec["maxReplicas"], spec["behavior"]) == plan.bounds


def test_the_simulated_keda_is_the_one_of_the_manifests() -> None:
    """The same holds for what KEDA scales; its targets are for pods of two cores."""
    for document in _documents("ScaledObject"):
        spec = document["spec"]
        behavior = spec["advanced"]["horizontalPodAutoscalerConfig"]["behavior"]
        assert _bounds(spec["minReplicaCount"], spec["maxReplicaCount"], behavior) == DEMAND.bounds
        assert float(spec["triggers"][0]["metadata"]["targetValue"]) == 2 * DEMAND.target
        assert (spec["pollingInterval"], spec["cooldownPeriod"]) == (Zero().polling, Zero().cooldown)
