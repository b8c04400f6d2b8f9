"""Search sessions."""

import math

import pytest

from searcher.engine.position import Position
from searcher.engine.result import Limits
from searcher.engine.search.clock import Clock
from searcher.session import SearchSession
from searcher.strategies import strategy_of
from tests.searcher.engine.positions import snake

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
