"""Iterative deepening: when it stops, and its answer."""

import math
import threading
import time
from dataclasses import replace
from typing import cast

import pytest

from searcher.engine.position import Direction, Position, Ruleset
from searcher.engine.result import Outcome, OutcomeKind, Result, StopReason
from searcher.engine.root.deepening import Deepening
from searcher.engine.search.clock import Clock
from searcher.interface import SearchAlgorithm
from searcher.strategies import SEARCHES
from tests.searcher.engine.positions import snake
from tests.searcher.engine.searches import search

UP, DOWN, LEFT, RIGHT = Direction

GENEROUS = 5.0
"""Seconds within which a search stops at its limit, on any machine."""

OPEN = Position(11, 11, (snake("a", "22 23 24"), snake("b", "88 87 86")), ((5, 5), (0, 9), (9, 0)))
"""A duel that is not decided soon."""

CORRIDOR = Position(11, 11, (snake("a", "05 15 25 24 14 04 03 13 23"), snake("b", "88 87 86")), ((9, 9),))
"""A position with one legal move: up along the edge."""

TRAPPED = Position(7, 7, (snake("a", "00 10 11 01 02 12 22"), snake("b", "66 65 64")))
"""A position without a legal move."""


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_no_thread_exceeds_the_limit_of_depth(threads: int) -> None:
    """Helpers that are a turn ahead keep to the limit of depth too."""
    result = search(OPEN, depth=1, threads=threads)
    assert (result.depth, result.stop_reason) == (1, StopReason.DEPTH)
    assert all(found.depth == 1 for found in result.root_moves)


def test_the_deepest_of_all_threads_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is the depth that a helper has completed, even if its leader has completed none in time."""

    class Waiting(Deepening):
        def _search_depth(self, depth: int) -> StopReason | None:
            if not self.helpers:
                return super()._search_depth(depth)
            while self.helpers[0].completed[0] < 4:
                time.sleep(0.001)
            return StopReason.DEADLINE

    waiting = replace(SEARCHES["paranoid-full"], name="waiting", deepening=Waiting)
    monkeypatch.setitem(cast(dict[str, SearchAlgorithm], SEARCHES), "waiting", waiting)
    result = search(OPEN, kind="waiting", threads=2)
    assert result.stop_reason is StopReason.DEADLINE
    assert result.depth >= 4
    assert result.root_moves[0].depth == result.depth
    assert result.principal_variation


def test_stopped_between_two_depths() -> None:
    """The callback for completed depths can stop the search."""
    clock = Clock(math.inf)
    seen: list[Result] = []

    def stop_at_three(state: Result) -> None:
        seen.append(state)
        if state.depth == 7:
            clock.stop()

    result = search(OPEN, clock=clock, on_depth=stop_at_three)
    assert (result.stop_reason, result.depth, len(seen)) == (StopReason.CANCELLED, 7, 7)


def test_the_deadline_is_moved_nearer() -> None:
    """A search keeps a deadline that is moved nearer while it runs."""
    clock = Clock(math.inf)
    timer = threading.Timer(0.1, lambda: clock.limit(time.monotonic()))
    timer.start()
    result = search(OPEN, clock=clock)
    timer.join()
    assert result.stop_reason is StopReason.DEADLINE
    assert result.elapsed < 0.1 + GENEROUS


def test_the_limit_of_nodes_of_a_parallel_search() -> None:
    """One of the threads reaches the limit, and none counts more."""
    for nodes in (1, 2, 512, 20_000):
        result = search(OPEN, kind="breadth", nodes=nodes, threads=3)
        assert nodes <= result.nodes <= 3 * nodes
        assert result.stop_reason is StopReason.NODES


def test_the_only_move() -> None:
    """A search ends if all moves but one lose or there is only one."""
    result = search(CORRIDOR)
    assert (result.stop_reason, result.move) == (StopReason.ONLY_MOVE, UP)


def test_decided_by_a_loss() -> None:
    """If every line loses, the result is a loss with its turn."""
    result = search(TRAPPED)
    assert result.stop_reason is StopReason.DECIDED
    assert (result.move, result.score) == (UP, -1.0)
    assert result.root_moves[0].outcome == Outcome(OutcomeKind.LOSS, 1)


@pytest.mark.parametrize(("kind", "threads"), [("paranoid-full", 1), ("breadth", 2)])
def test_each_depth_is_reported_once_in_order(kind: str, threads: int) -> None:
    """Depths are reported in order with increasing nodes and time; the last has the stop reason."""
    seen: list[Result] = []
    before = threading.active_count()
    result = search(OPEN, kind=kind, depth=4, threads=threads, on_depth=seen.append)
    assert threading.active_count() == before
    assert [state.depth for state in seen] == [1, 2, 3, 4]
    assert [state.nodes for state in seen] == sorted({state.nodes for state in seen})
    assert [state.elapsed for state in seen] == sorted(state.elapsed for state in seen)
    assert [state.stop_reason for state in seen] == [None] * 3 + [StopReason.DEPTH]
    assert (seen[-1].move, seen[-1].root_moves) == (result.move, result.root_moves)


@pytest.mark.parametrize("given_moves", [(UP,), (UP, DOWN)])
def test_a_single_root_move_is_searched(given_moves: tuple[Direction, ...]) -> None:
    """If the only legal move is given as a root move, alone or among others, it is searched and scored."""
    result = search(CORRIDOR, depth=4, root_moves=given_moves)
    assert (result.depth, result.stop_reason, result.move) == (4, StopReason.DEPTH, UP)


def test_solo_rules_have_no_winner() -> None:
    """Under solo rules the game goes on with one snake: the opponent's death is no win."""
    trapped = Position(7, 7, (snake("a", "55 54 53"), TRAPPED.snakes[0]), ruleset=Ruleset("solo"))
    result = search(trapped, depth=3)
    assert (result.depth, result.stop_reason) == (3, StopReason.DEPTH)
    assert all(found.outcome is None for found in result.root_moves)
