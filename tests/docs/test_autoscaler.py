"""The simulation behind docs/capacity.md: the autoscaler's arithmetic, and how pods share their cores."""

import math
from dataclasses import replace

import pytest
import simpy

from docs.autoscaler import Cluster, Pod, Setup, depth_of, wanted

SMALL = Setup("small", rounds=(12,), others=0, least=1, most=6, until=240)


def simulated(setup: Setup) -> Cluster:
    """A cluster after its time."""
    cluster = Cluster(setup)
    cluster.run()
    return cluster


@pytest.mark.parametrize(
    ("usage", "count", "pods"),
    [
        ([1.0, 1.0], 2, 3),  # 2 * 1.0 / 0.7, rounded up
        ([0.75, 0.7], 2, 2),  # within a tenth of the target
        ([0.2, 0.2, 0.2, 0.2], 4, 2),
        ([1.0, 1.0], 4, 4),  # two that start already will do
        ([1.0, 1.0], 3, 3),  # 2 / 3 is within the target
        ([1.0, 1.0, 1.0, 1.0], 5, 6),
        ([], 3, 3),
    ],
)
def test_the_autoscaler_wants_as_many_as_its_rules_say(usage: list[float], count: int, pods: int) -> None:
    """Pods by usage over target; those that have yet to start count as idle."""
    assert wanted(usage, count, 0.7) == pods


def test_searches_share_the_cores_of_their_pod() -> None:
    """Two searches have a core each of two; six have a third; no search has more than one."""
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


def test_more_games_bring_more_pods_and_their_end_takes_them_away() -> None:
    """The cluster grows while games wait for cores, and is small again when they are over."""
    cluster = simulated(replace(SMALL, until=900))
    assert max(state.ready for state in cluster.states) > 3
    assert cluster.states[-1].games == 0
    assert cluster.states[-1].ready == 1


def test_new_pods_get_no_work_over_old_connections() -> None:
    """Connections that never end leave all searches where they were; those that end spread them."""
    fixed, ending = simulated(replace(SMALL, age=math.inf)), simulated(SMALL)
    assert max(state.ready for state in fixed.states) > 1
    assert max(state.working for state in fixed.states) == 1
    assert max(state.working for state in ending.states) > 1


def test_a_simulation_repeats() -> None:
    """The same seed gives the same moves."""
    assert simulated(SMALL).moves == simulated(SMALL).moves != simulated(replace(SMALL, seed=2)).moves


def test_depths_lie_between_those_measured() -> None:
    """By doublings of the time that a search has of a core; beyond those measured, the last of them."""
    measured = [
        {"searcher cores": 0.8, "moves/s": 2.0, "depth duel": 14.0},
        {"searcher cores": 0.8, "moves/s": 8.0, "depth duel": 10.0},
    ]
    depths = [depth_of(share, measured, "duel") for share in (1, 0.4, 0.2, 0.1, 0.01)]
    assert depths == pytest.approx([14, 14, 12, 10, 10])
