"""The simulation move by move: searches that share cores, and autoscalers that follow them."""

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
import simpy

from docs.capacity.autoscaler import CPU, DEMAND, OCCUPANCY, Plan, Zero
from docs.capacity.load import LEAST_SHARE, SEARCH
from docs.capacity.tournament import TOURNAMENT_START, Cluster, Game, Level, Pod, Setup, tournament

ROUND = tournament(rounds=(12,), others=0)
SMALL = Setup("small", OCCUPANCY, until=240)


def bounded(plan: Plan, least: int, most: int) -> Plan:
    """Return an autoscaler with other limits, which removes pods after a minute."""
    return replace(plan, bounds=replace(plan.bounds, least=least, most=most, window=60))


def simulated(setup: Setup, games: Sequence[Game] = ROUND) -> Cluster:
    """Return a cluster after its simulation."""
    cluster = Cluster(setup, games)
    cluster.run()
    return cluster


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
    assert pod.demand == pytest.approx(1 + 2 + 6)


def test_a_pod_takes_no_more_searches_than_get_a_share() -> None:
    """A search whose share of the time would be too small is refused."""
    pod = Pod(simpy.Environment(), cores=1)
    pod.settle(int(SEARCH / LEAST_SHARE) - 1)
    assert pod.has_room
    pod.settle(1)
    assert not pod.has_room


def test_a_level_is_summed_over_time() -> None:
    """Three for two seconds and one for one are seven."""
    env = simpy.Environment()
    level = Level(env)
    level.change(3)
    env.run(2)
    level.change(-2)
    env.run(3)
    assert level.sum == pytest.approx(7)


@pytest.mark.parametrize("plan", [CPU, OCCUPANCY, DEMAND], ids=lambda plan: str(plan.signal.name))
def test_the_cluster_grows_and_shrinks_with_the_games(plan: Plan) -> None:
    """The cluster grows while games compete for cores, and shrinks again after they end."""
    cluster = simulated(Setup("small", bounded(plan, 1, 6), pods=1, until=600))
    assert max(state.ready for state in cluster.states) > 3
    assert cluster.states[-1].games == 0
    assert cluster.states[-1].ready == 1


def test_an_autoscaler_on_demand_asks_for_as_many_pods_as_there_are_searches() -> None:
    """Twelve games are eleven searches at once, for which five or six pods of two cores are about right."""
    cluster = simulated(Setup("small", DEMAND, until=150))
    assert 5 <= max(state.requested for state in cluster.states) <= 6


def test_new_pods_get_no_work_over_old_connections() -> None:
    """Connections that never end keep all searches on the old pods; connections that end spread them."""
    fixed, ending = simulated(replace(SMALL, age=math.inf)), simulated(SMALL)
    assert max(state.ready for state in fixed.states) > 2
    assert max(state.working for state in fixed.states) == 2
    assert max(state.working for state in ending.states) > 2


def test_pods_come_from_zero_with_the_first_game_and_go_after_the_last() -> None:
    """Until the first pod is ready moves are reflexes, and all moves are searched then."""
    zero = Zero(polling=10, cooldown=30)
    cluster = simulated(Setup("zero", replace(DEMAND, zero=zero), pods=0, until=500))
    before = [state for state in cluster.states if state.at < TOURNAMENT_START]
    assert {state.requested for state in before} == {0}
    reflexes = [at for at, share in cluster.moves if share == 0]
    searched = [at for at, share in cluster.moves if share]
    assert reflexes
    assert max(reflexes) < TOURNAMENT_START + 20 < max(searched)
    assert cluster.states[-1].requested == 0
    end = max(state.at for state in cluster.states if state.games)
    gone = min(state.at for state in cluster.states if state.at > end and not state.requested)
    assert 20 <= gone - end <= 50


def test_what_is_paid_for_includes_pods_that_are_starting() -> None:
    """Two pods of two cores for four minutes are 960 core seconds."""
    assert simulated(Setup("fixed", until=240)).core_seconds == pytest.approx(960)


def test_all_clusters_play_the_same_games() -> None:
    """When games begin and end follows from the seed alone; a round begins after the one before has ended."""
    games = tournament(rounds=(5, 3), others=1, seed=7)
    assert games == tournament(rounds=(5, 3), others=1, seed=7) != tournament(rounds=(5, 3), others=1)
    assert [game.at for game in games[:1]] == [0]
    assert max(game.end for game in games[1:6]) < min(game.at for game in games[6:])
