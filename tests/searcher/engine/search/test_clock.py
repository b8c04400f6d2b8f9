"""The two clocks of a search."""

import ctypes
import threading
import time
from typing import Any

import numpy as np
import pytest

from searcher.engine.jit.function import Function
from searcher.engine.rules.records import SHAPES
from searcher.engine.search.clock import POLL_EVERY, Clock, poll
from searcher.engine.search.state import state_dtype

MANY = 1 << 40


def _poll(state: Any) -> None:
    poll(state)


def polled(clock: Clock, nodes: int, limit: int = MANY) -> tuple[bool, int]:
    """Return whether a poll stops a search that has counted these nodes, and the nodes at the next poll."""
    dtype = state_dtype(SHAPES[0])
    state = np.zeros(1, dtype=dtype)
    state["clock"], state["nodes"], state["node_limit"] = clock.words.ctypes.data, nodes, limit
    address = Function(_poll, None, (dtype,)).address
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address)(state.ctypes.data)
    return bool(state["stopped"][0]), int(state["poll_at"][0])


def test_before_its_deadline_a_search_goes_on() -> None:
    """Before the deadline a poll only sets the next poll, some nodes later."""
    clock = Clock(time.monotonic() + 60)
    assert polled(clock, nodes=1000) == (False, 1000 + POLL_EVERY)
    assert clock.allows_new_depth
    assert not clock.stopped


def test_after_its_deadline_it_stops() -> None:
    """After the deadline a poll stops the search, and no new depth is started."""
    clock = Clock(time.monotonic() - 0.001)
    assert polled(clock, nodes=0)[0]
    assert not clock.allows_new_depth
    assert not clock.stopped


def test_a_deadline_can_be_moved_both_ways() -> None:
    """A search stops when its deadline is moved into the past, and goes on when it is moved later."""
    clock = Clock(time.monotonic() + 60)
    clock.limit(time.monotonic() - 1)
    assert (polled(clock, nodes=0)[0], clock.allows_new_depth) == (True, False)
    later = time.monotonic() + 60
    clock.limit(later)
    assert (polled(clock, nodes=0)[0], clock.allows_new_depth) == (False, True)
    assert clock.deadline == pytest.approx(later, abs=1e-6)


def test_stopped_by_another_thread() -> None:
    """A stop takes effect at the next poll, however much time is left."""
    clock = Clock(float("inf"))
    thread = threading.Thread(target=clock.stop)
    thread.start()
    thread.join()
    assert clock.stopped
    assert polled(clock, nodes=0)[0]
    assert not clock.allows_new_depth


def test_a_search_that_yields_goes_on() -> None:
    """A search that yields its core continues and doesn't stop sooner."""
    clock = Clock(time.monotonic() + 60)
    clock.yield_requested = True
    assert polled(clock, nodes=0) == (False, POLL_EVERY)
    assert clock.yield_requested
    clock.yield_requested = False
    assert not clock.yield_requested
    assert not clock.stopped


@pytest.mark.parametrize(("nodes", "expected"), [(99, (False, 100)), (100, (True, 100)), (101, (True, 100))])
def test_the_node_limit(nodes: int, expected: tuple[bool, int]) -> None:
    """The next poll is at the node limit at the latest, and stops the search there."""
    assert polled(Clock(float("inf")), nodes, limit=100) == expected


def test_the_soft_deadline_comes_first() -> None:
    """Just before the deadline no new depth is started, but the current one may go on."""
    clock = Clock(time.monotonic() + 60)
    clock.start -= 1e6
    assert not clock.allows_new_depth
    assert not polled(clock, nodes=0)[0]
