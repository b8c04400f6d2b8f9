"""Cells: routing, one that fails, and rollouts."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from docs.capacity.cells import (
    FAILED,
    LONGEST_GAME,
    Failure,
    Fault,
    Games,
    Rollout,
    at_once,
    canary_then_all,
    cell_keys,
    counts,
    doubling,
    drained,
    key,
    lowest,
    met_both,
    place,
    ready_pods,
    reflexes,
    route,
    shares,
    simulate_failure,
    simulate_fault,
)
from docs.capacity.load import Depths, read_run
from docs.capacity.tournament import Game, Setup, simulate

DEPTHS = Depths(read_run()["rounds"])
KEYS = np.array([key(f"game-{number}") for number in range(5000)], dtype=np.uint64)
SMALL = Failure(cells=5, games_a_cell=100, failover=0, fails=60, back=180, until=300)


def test_games_spread_evenly_over_cells() -> None:
    """Every cell gets about the same number of games, and everybody finds the same cell."""
    cells = route(KEYS, cell_keys(10))
    assert all(430 < number < 570 for number in Counter(cells.tolist()).values())
    assert (cells == route(KEYS, cell_keys(10))).all()


def test_a_cell_that_is_lost_moves_its_own_games_alone() -> None:
    """Its games spread over all other cells; the others stay, and all come back with the cell."""
    before = route(KEYS, cell_keys(10))
    after = route(KEYS, cell_keys(10), np.arange(10) != 3)
    assert (after[before != 3] == before[before != 3]).all()
    assert set(after[before == 3].tolist()) == {0, 1, 2, 4, 5, 6, 7, 8, 9}


def test_games_are_counted_by_cell_and_second() -> None:
    """A game counts in each second in which it is played, in the cell where it is then."""
    games = Games(np.zeros(2, dtype=np.uint64), np.array([-3.0, 1.0]), np.array([2.0, 5.0]))
    epochs = [(0, np.array([0, 1])), (3, np.array([0, -1])), (4, np.array([0, 0]))]
    assert counts(games, epochs, 2, 6).tolist() == [[1, 1, 0, 0, 1, 0], [0, 1, 1, 0, 0, 0]]


def test_the_pods_of_a_cell_follow_its_games() -> None:
    """Pods for all searches are there within half a minute, and go minutes after the games."""
    games = np.concatenate([np.full(60, 20.0), np.full(120, 80.0), np.full(300, 20.0)])
    ready = ready_pods(games, target=1.0)
    assert ready[0] == ready[59] == 10
    assert ready[90] == 37
    assert ready[200] == 37
    assert ready[-1] == 10


def test_both_simulations_agree() -> None:
    """Depth by the second is that of the simulation move by move, where pods and games stay the same."""
    by_move = simulate(Setup("fixed", pods=4, until=60), [Game(0, 60)] * 40, DEPTHS).depths.mean()
    by_second = DEPTHS.of(shares(np.full(60, 40.0), np.full(60, 4.0))).mean()
    assert by_second == pytest.approx(by_move, abs=0.3)


def test_no_move_is_lost_where_the_router_notices_at_once() -> None:
    """The games of a lost cell go on elsewhere, and the others search a little less deeply."""
    failed = simulate_failure(SMALL, DEPTHS)
    assert (failed.lost_moves, failed.lost_games) == (0, 0)
    assert failed.games[FAILED, 60:180].sum() == 0
    assert failed.games[:, 60].sum() == pytest.approx(failed.games[:, 59].sum(), rel=0.02)
    others = failed.others()
    assert others[40:60].mean() - 1.5 < lowest(others, 60, 180) < others[40:60].mean()


def test_games_come_back_to_a_cell_without_its_pods() -> None:
    """The games of a cell that comes back with two pods are searched less deeply, or not at all."""
    kept, few = (
        simulate_failure(replace(SMALL, games_a_cell=400, keeps_pods=keeps), DEPTHS)
        for keeps in (True, False)
    )
    assert reflexes(kept) == 0 < reflexes(few)
    assert lowest(few.depths[FAILED], 180, 300) < lowest(kept.depths[FAILED], 180, 300) - 3


Make = Callable[[int, float], Rollout]

ROLLOUTS: tuple[Make, ...] = (at_once, canary_then_all, doubling, drained)


@pytest.mark.parametrize("make", ROLLOUTS, ids=["at once", "canary", "doubling", "drained"])
def test_a_rollout_begins_with_few_cells(make: Make) -> None:
    """Cells are replaced in waves, none of which but the last is smaller than the one before."""
    starts = make(10, 120.0).starts
    assert len(starts) == 10
    assert starts.tolist() == sorted(starts)
    sizes = list(Counter(starts.tolist()).values())
    assert sizes[:-1] == sorted(sizes[:-1])


def test_games_of_empty_cells_meet_one_evaluator() -> None:
    """Games that begin while a cell is drained are played elsewhere; without that, games meet both."""
    rollout = drained(6, LONGEST_GAME)
    assert met_both(rollout, place(rollout, 50)) <= 2
    sudden = at_once(6, 120)
    assert met_both(sudden, place(sudden, 50)) >= 300


@pytest.mark.parametrize("make", ROLLOUTS, ids=["at once", "canary", "doubling", "drained"])
def test_a_good_evaluator_is_not_stopped(make: Make) -> None:
    """No rule takes the rollout itself for a fault."""
    rollout = make(6, 120.0)
    stopped = simulate_fault(rollout, Fault("none"), place(rollout, 100), DEPTHS)
    assert stopped.noticed is None
    assert stopped.new[:, -1].tolist() == [1] * 6
    assert stopped.cut_short == 0


@pytest.mark.parametrize("fault", [Fault("slow", speed=0.25), Fault("crashes", crash=1 / 1000)])
def test_a_canary_keeps_a_bad_evaluator_from_the_other_cells(fault: Fault) -> None:
    """The rollout is stopped and rolled back before a second cell has the evaluator."""
    met = []
    for rollout in (at_once(6, 120), canary_then_all(6, 120)):
        stopped = simulate_fault(rollout, fault, place(rollout, 100), DEPTHS)
        assert stopped.noticed is not None
        assert stopped.new[:, -1].sum() == 0
        met.append(stopped.met)
    assert (stopped.new[1:] == 0).all()
    assert met[1] < met[0] / 4
