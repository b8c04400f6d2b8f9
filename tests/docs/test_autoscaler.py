"""The simulation of docs/capacity.md: the arithmetic of the autoscaler, and searches that share cores."""

import math
from dataclasses import replace

import pytest
import simpy

from docs.autoscaler import Cluster, Pod, Setup, depth_of, desired_pods

SMALL = Setup("small", rounds=(12,), others=0, least=1, most=6, until=240)


def simulated(setup: Setup) -> Cluster:
    """Return a cluster after its simulation."""
    cluster = Cluster(setup)
    cluster.run()
    return cluster


@pytest.mark.parametrize(
    ("usage", "count", "pods"),
    [
        ([1.0, 1.0], 2, 3),  # 2 * 1.0 / 0.7, rounded up
        ([0.75, 0.7], 2, 2),  # within a tenth of the target
        ([0.2, 0.2, 0.2, 0.2], 4, 2),
        ([1.0, 1.0], 4, 4),  # the two pods that are starting suffice
        ([1.0, 1.0], 3, 3),  # 2 / 3 is within the target
        ([1.0, 1.0, 1.0, 1.0], 5, 6),
        ([], 3, 3),
    ],
)
def test_the_autoscaler_follows_its_documented_rules(usage: list[float], count: int, pods: int) -> None:
    """The number of pods follows usage divided by target; starting pods count as idle."""
    assert desired_pods(usage, count, 0.7) == pods


def test_searches_share_the_cores_of_their_pod() -> None:
    """On two cores, two searches get one core each and six a third each; no search gets more than one."""
    env = simpy.Environment()
    pod = Pod(env, cores=2)

    def searches(number: int) -> float:
        pod.settle(number)
        before = pod.share
        env.run(env.now + 1)
        pod.settle(-number)
        return pod.share - before

    assert searches(1) == pytest.approx(1)
    assert searches(2) == pytest.approx(1)
    assert searches(6) == pytest.approx(1 / 3)
    assert pod.busy == pytest.approx(1 + 2 + 2)


def test_the_cluster_grows_and_shrinks_with_the_games() -> None:
    """The cluster grows while games compete for cores, and shrinks again after they end."""
    cluster = simulated(replace(SMALL, until=900))
    assert max(state.ready for state in cluster.states) > 3
    assert cluster.states[-1].games == 0
    assert cluster.states[-1].ready == 1


def test_new_pods_get_no_work_over_old_connections() -> None:
    """Connections that never end keep all searches on the old pods; connections that end spread them."""
    fixed, ending = simulated(replace(SMALL, age=math.inf)), simulated(SMALL)
    assert max(state.ready for state in fixed.states) > 1
    assert max(state.working for state in fixed.states) == 1
    assert max(state.working for state in ending.states) > 1


def test_a_simulation_is_reproducible() -> None:
    """The same seed gives the same moves, and another seed gives others."""
    assert simulated(SMALL).moves == simulated(SMALL).moves != simulated(replace(SMALL, seed=2)).moves


def test_depths_are_interpolated() -> None:
    """Depth is linear in the logarithm of core time; outside the measured range it stays constant."""
    measured = [
        {"searcher cores": 0.8, "moves/s": 2.0, "depth duel": 14.0},
        {"searcher cores": 0.8, "moves/s": 8.0, "depth duel": 10.0},
    ]
    depths = [depth_of(share, measured, "duel") for share in (1, 0.4, 0.2, 0.1, 0.01)]
    assert depths == pytest.approx([14, 14, 12, 10, 10])
