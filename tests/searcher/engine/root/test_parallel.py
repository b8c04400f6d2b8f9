"""Parallel iterative deepening: it stops when it has to, with any number of threads."""

import math
import threading

import pytest

from searcher.engine.result import Result, StopReason
from searcher.engine.search.clock import Clock
from tests.searcher.engine.positions import board_of, recorded_positions, textbook_moves
from tests.searcher.engine.root.test_deepening import CORRIDOR, GENEROUS, OPEN, TRAPPED
from tests.searcher.engine.searches import search

THREADS = (1, 2, 4)


@pytest.mark.parametrize("threads", THREADS)
def test_the_deadline(threads: int) -> None:
    """The search ends soon after its deadline, with some depths completed."""
    result = search(OPEN, "balanced", kind="breadth", seconds=0.5, threads=threads)
    assert result.stop_reason is StopReason.DEADLINE
    assert result.elapsed < 0.5 + GENEROUS
    assert result.depth >= 2


@pytest.mark.parametrize("threads", THREADS)
def test_no_time_at_all(threads: int) -> None:
    """With the deadline in the past no depth is completed, and the answer is still a legal move."""
    for position in (OPEN, CORRIDOR, *recorded_positions(every=200)):
        result = search(position, "balanced", kind="breadth", seconds=-1.0, threads=threads)
        assert (result.stop_reason, result.depth, result.nodes) == (StopReason.DEADLINE, 0, 0)
        assert (result.score, result.root_moves, result.principal_variation) == (0.0, (), ())
        assert result.move in textbook_moves(board_of(position), position.you)


@pytest.mark.parametrize("threads", THREADS)
def test_stopped_from_another_thread(threads: int) -> None:
    """A search without any limit ends soon after its clock is stopped."""
    clock = Clock(math.inf)
    timer = threading.Timer(0.1, clock.stop)
    timer.start()
    result = search(OPEN, "balanced", kind="breadth", clock=clock, threads=threads)
    timer.join()
    assert result.stop_reason is StopReason.CANCELLED
    assert result.elapsed < 0.1 + GENEROUS


@pytest.mark.parametrize("nodes", [1, 2, 511, 512, 20_000])
def test_a_limit_of_nodes(nodes: int) -> None:
    """One thread counts exactly as many nodes as the limit; of several, one does and none counts more."""
    result = search(OPEN, "balanced", kind="breadth", nodes=nodes)
    assert (result.nodes, result.stop_reason) == (nodes, StopReason.NODES)
    result = search(OPEN, "balanced", kind="breadth", nodes=nodes, threads=3)
    assert nodes <= result.nodes <= 3 * nodes
    assert result.stop_reason is StopReason.NODES


@pytest.mark.parametrize("threads", THREADS)
def test_it_stops_by_itself(threads: int) -> None:
    """The search stops by itself if only one move does not lose, or if all moves lose."""
    only = search(CORRIDOR, "balanced", kind="breadth", threads=threads)
    lost = search(TRAPPED, "balanced", kind="breadth", threads=threads)
    assert (only.stop_reason, only.depth) == (StopReason.ONLY_MOVE, 1)
    assert (lost.stop_reason, lost.score) == (StopReason.DECIDED, -1.0)


def test_each_depth_is_reported_once_in_order() -> None:
    """Depths are reported in order; the last has the stop reason, and no thread is left running."""
    before = threading.active_count()
    seen: list[Result] = []
    search(OPEN, "balanced", kind="breadth", depth=4, threads=2, on_depth=seen.append)
    assert [state.depth for state in seen] == [1, 2, 3, 4]
    assert [state.stop_reason for state in seen] == [None] * 3 + [StopReason.DEPTH]
    assert threading.active_count() == before
