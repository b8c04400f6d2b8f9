"""Search sessions."""

import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from searcher.engine.position import Position
from searcher.engine.result import Limits, Result
from searcher.engine.search.clock import Clock
from searcher.session import SearchSession
from searcher.strategies import strategy_of
from tests.searcher.engine.positions import snake

GENEROUS = 30.0
"""Seconds for what takes milliseconds on an idle machine."""

DUEL = Position(11, 11, (snake("a", "33 32 31"), snake("b", "77 78 79")), ((5, 5),))


def test_weights_reach_the_search() -> None:
    """With all weights 0 every move of an open duel has the score 0."""
    zero = strategy_of("paranoid", "area", {"area": 0.0, "hunger": 0.0})
    hungry = strategy_of("paranoid", "area", {"area": 0.0, "hunger": 10.0})
    results = [
        SearchSession().search(DUEL, strategy, Limits(depth=2), Clock(math.inf))
        for strategy in (zero, hungry)
    ]
    assert results[0].score == 0.0
    assert results[1].score < 0.0


def test_threads_find_the_same_score() -> None:
    """A search to a depth has the same score with several threads as with one."""
    full = strategy_of("paranoid-full", "area")
    one, two = (
        SearchSession().search(DUEL, full, Limits(depth=6, threads=threads), Clock(math.inf))
        for threads in (1, 2)
    )
    assert (two.depth, two.stop_reason) == (one.depth, one.stop_reason)
    assert two.score == pytest.approx(one.score)


@pytest.mark.parametrize("search", ["paranoid", "mcts"])
def test_a_helper_ends_before_the_search(search: str) -> None:
    """A thread that the clock no longer allows ends, and the search goes on until its deadline."""
    clock = Clock(time.monotonic() + GENEROUS)
    clock.helpers = 1
    strategy, depths = strategy_of(search, "area"), list[Result]()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(SearchSession().search, DUEL, strategy, Limits(), clock, depths.append)
        _until(lambda: _helpers() == 1)
        clock.helpers = 0
        _until(lambda: _helpers() == 0)
        assert not running.done()
        _until(lambda: bool(depths))
        clock.stop()
        assert running.result().depth > 0


def test_a_search_of_equal_depths_takes_no_helpers() -> None:
    """Each of its threads searches moves that no other thread searches, so none may end early."""
    clock = Clock(math.inf)
    clock.helpers = 1
    breadth = strategy_of("breadth", "area")
    alone, helped = (
        SearchSession().search(DUEL, breadth, Limits(depth=3), each) for each in (Clock(math.inf), clock)
    )
    assert (helped.root_moves, helped.nodes) == (alone.root_moves, alone.nodes)


def _helpers() -> int:
    return sum(thread.name.startswith("helper-") for thread in threading.enumerate())


def _until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + GENEROUS / 2
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)
