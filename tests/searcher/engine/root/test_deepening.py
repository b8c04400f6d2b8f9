"""Iterative deepening: when it stops, and what it answers then."""

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
from tests.searcher.engine.positions import (
    board_of,
    recorded_positions,
    snake,
    textbook_moves,
)
from tests.searcher.engine.searches import search

UP, DOWN, LEFT, RIGHT = Direction

GENEROUS = 5.0
"""Seconds in which a search that is told to stop has stopped, on any machine."""

OPEN = Position(11, 11, (snake("a", "22 23 24"), snake("b", "88 87 86")), ((5, 5), (0, 9), (9, 0)))
"""A duel that nobody decides soon."""

CORRIDOR = Position(11, 11, (snake("a", "05 15 25 24 14 04 03 13 23"), snake("b", "88 87 86")), ((9, 9),))
"""One legal move: up along the edge."""

TRAPPED = Position(7, 7, (snake("a", "00 10 11 01 02 12 22"), snake("b", "66 65 64")))
"""No legal move."""


def test_the_depth_asked_for() -> None:
    """With a limit of depth exactly these turns are completed."""
    for depth in (1, 2, 5):
        result = search(OPEN, depth=depth)
        assert (result.depth, result.stop_reason) == (depth, StopReason.DEPTH)
        assert all(found.depth == depth for found in result.root_moves)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_no_thread_goes_deeper_than_asked(threads: int) -> None:
    """Helpers that are a turn ahead keep to the limit of depth too."""
    result = search(OPEN, depth=1, threads=threads)
    assert (result.depth, result.stop_reason) == (1, StopReason.DEPTH)
    assert all(found.depth == 1 for found in result.root_moves)


def test_the_deepest_of_all_threads_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a helper has completed is the answer, though its leader has completed nothing in time."""

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


@pytest.mark.parametrize("nodes", [1, 2, 5, 100, 511, 512, 513, 1000, 20_000])
def test_exactly_as_many_nodes(nodes: int) -> None:
    """With a limit of nodes exactly as many are counted, and the answer is a legal move."""
    result = search(OPEN, nodes=nodes)
    assert (result.nodes, result.stop_reason) == (nodes, StopReason.NODES)
    assert result.move in textbook_moves(board_of(OPEN), 0)


def test_the_deadline() -> None:
    """When time is up the search ends soon after, with many depths completed."""
    result = search(OPEN, seconds=0.2)
    assert result.stop_reason is StopReason.DEADLINE
    assert result.elapsed < 0.2 + GENEROUS
    assert result.depth >= 2


def test_no_time_at_all() -> None:
    """With the deadline in the past no depth is completed, and the answer is a legal move all the same."""
    for position in (OPEN, CORRIDOR, *recorded_positions(every=100)):
        result = search(position, seconds=-1.0)
        assert (result.stop_reason, result.depth, result.nodes) == (StopReason.DEADLINE, 0, 0)
        assert (result.score, result.root_moves, result.principal_variation) == (0.0, (), ())
        assert result.move in textbook_moves(board_of(position), position.you)


def test_stopped_from_another_thread() -> None:
    """A search without any limit ends soon after it is told to."""
    clock = Clock(math.inf)
    timer = threading.Timer(0.1, clock.stop)
    timer.start()
    result = search(OPEN, clock=clock)
    timer.join()
    assert result.stop_reason is StopReason.CANCELLED
    assert result.elapsed < 0.1 + GENEROUS


def test_stopped_between_two_depths() -> None:
    """Who hears of a depth may stop the search right there."""
    clock = Clock(math.inf)
    seen: list[Result] = []

    def stop_at_three(state: Result) -> None:
        seen.append(state)
        if state.depth == 7:
            clock.stop()

    result = search(OPEN, clock=clock, on_depth=stop_at_three)
    assert (result.stop_reason, result.depth, len(seen)) == (StopReason.CANCELLED, 7, 7)


def test_less_time_than_was_said() -> None:
    """A deadline that is moved nearer while the search runs is kept."""
    clock = Clock(math.inf)
    timer = threading.Timer(0.1, lambda: clock.limit(time.monotonic()))
    timer.start()
    result = search(OPEN, clock=clock)
    timer.join()
    assert result.stop_reason is StopReason.DEADLINE
    assert result.elapsed < 0.1 + GENEROUS


def test_the_only_move() -> None:
    """Where all other moves lose, or there are none, nothing is left to find out."""
    result = search(CORRIDOR)
    assert (result.stop_reason, result.move) == (StopReason.ONLY_MOVE, UP)


def test_decided_by_a_win() -> None:
    """The other is shut in: a win, and the turn it comes on."""
    result = search(Position(7, 7, (snake("a", "66 65 64"), TRAPPED.snakes[0])))
    assert (result.stop_reason, result.depth, result.score) == (StopReason.DECIDED, 1, 1.0)
    assert result.root_moves[0].outcome == Outcome(OutcomeKind.WIN, 1)


def test_decided_by_a_loss() -> None:
    """Who is lost in every line is told so."""
    result = search(TRAPPED)
    assert result.stop_reason is StopReason.DECIDED
    assert (result.move, result.score) == (UP, -1.0)
    assert result.root_moves[0].outcome == Outcome(OutcomeKind.LOSS, 1)


def test_each_depth_is_told_once_in_order() -> None:
    """Depths come one after another with ever more nodes and time; the last says why it ended."""
    seen: list[Result] = []
    result = search(OPEN, depth=6, on_depth=seen.append)
    assert [state.depth for state in seen] == [1, 2, 3, 4, 5, 6]
    assert [state.nodes for state in seen] == sorted({state.nodes for state in seen})
    assert [state.elapsed for state in seen] == sorted(state.elapsed for state in seen)
    assert [state.stop_reason for state in seen] == [None] * 5 + [StopReason.DEPTH]
    assert (seen[-1].move, seen[-1].root_moves) == (result.move, result.root_moves)


@pytest.mark.parametrize("asked", [(UP,), (LEFT, DOWN), (RIGHT, LEFT, DOWN)])
def test_only_the_moves_asked_for(asked: tuple[Direction, ...]) -> None:
    """Other moves are neither scored nor answered, with a seed and without."""
    position = Position(11, 11, (snake("a", "55"), snake("b", "88 87 86")))
    for seed in (0, 3):
        result = search(position, depth=4, root_moves=asked, seed=seed)
        assert result.move in asked
        assert {found.move for found in result.root_moves} <= set(asked)


@pytest.mark.parametrize("asked", [(UP,), (UP, DOWN)])
def test_a_single_move_asked_for_is_looked_at(asked: tuple[Direction, ...]) -> None:
    """Who names the only legal move, alone or among others, learns how good it is some turns ahead."""
    result = search(CORRIDOR, depth=4, root_moves=asked)
    assert (result.depth, result.stop_reason, result.move) == (4, StopReason.DEPTH, UP)


def test_asked_for_moves_that_are_not_legal() -> None:
    """A legal one of them is preferred; if there is none, the answer is still one that was asked for."""
    assert search(OPEN, depth=3, root_moves=(UP, LEFT)).move is LEFT
    assert search(OPEN, depth=3, root_moves=(UP,)).move is UP


def test_solo_can_only_lose() -> None:
    """Alone there is no win to find, and the search goes as deep as it is let."""
    position = Position(7, 7, (snake("a", "33 32 31"),), ((0, 0),), ruleset=Ruleset("solo"))
    result = search(position, depth=6)
    assert (result.depth, result.stop_reason) == (6, StopReason.DEPTH)
    assert all(found.outcome is None for found in result.root_moves)


def test_solo_rules_know_no_winner() -> None:
    """Under solo rules the game goes on with one: that the other has died is no win."""
    trapped = Position(7, 7, (snake("a", "55 54 53"), TRAPPED.snakes[0]), ruleset=Ruleset("solo"))
    result = search(trapped, depth=3)
    assert (result.depth, result.stop_reason) == (3, StopReason.DEPTH)
    assert all(found.outcome is None for found in result.root_moves)
