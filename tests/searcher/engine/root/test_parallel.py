"""Parallel iterative deepening: it stops when it has to, with any number of threads."""

import threading

import pytest

from searcher.engine.result import Result, StopReason
from tests.searcher.engine.root.test_deepening import CORRIDOR, OPEN, TRAPPED
from tests.searcher.engine.searches import search

THREADS = (1, 2, 4)


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
