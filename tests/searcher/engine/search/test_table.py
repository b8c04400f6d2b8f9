"""The transposition table: what it keeps, for which key, and what may be concluded from it."""

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searcher.engine.jit.function import INT64, Function
from searcher.engine.position import Direction
from searcher.engine.rules.records import SHAPES
from searcher.engine.search import table
from searcher.engine.search.score import draw_at, heuristic, loss_at, win_at
from searcher.engine.search.state import state_dtype
from searcher.engine.search.table import (
    EXACT,
    GENERATIONS,
    LINE_BYTES,
    LINE_ENTRIES,
    LOWER_BOUND,
    UPPER_BOUND,
    Table,
)

UP, DOWN, LEFT, RIGHT = Direction

KEYS = st.integers(0, 2**64 - 1)
SCORES = st.one_of(
    st.integers(-999_999, 999_999),
    st.integers(40, 160).map(lambda turns: int(win_at(turns))),
    st.integers(40, 160).map(lambda turns: int(loss_at(turns))),
    st.integers(40, 160).map(lambda turns: int(draw_at(turns))),
)


def _save(state: Any, key: int, depth: int, ply: int, score: int, bound: int, move: int) -> int:
    table.save(state, np.uint64(key), depth, ply, score, bound, move)
    return 0


def _probe(state: Any, key: int, ply: int, depth: int, beta: int, wanted: int, unused: int) -> int:
    """Return one of the things stored for a key; `wanted` is the number of a method of `Entries`."""
    data = table.probe(state, np.uint64(key))
    if wanted == 0:
        return int(data != 0)
    if wanted == 1:
        return table.score_of(data, ply)
    if wanted == 2:
        return table.move_in(data)
    if wanted == 3:
        return table.bound_of(data)
    if wanted == 4:
        return table.depth_of(data)
    return int(table.allows_cutoff(data, ply, depth, beta))


@cache
def _compiled(function: Callable[..., int]) -> Callable[..., int]:
    """Return a function of a state and six numbers, compiled."""
    numbers = [np.dtype(np.uint64), *[INT64] * 5]
    address = Function(function, INT64, (state_dtype(SHAPES[0]), *numbers)).address
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_uint64, *[ctypes.c_int64] * 5)(address)


class Entries:
    """A table and the state of a thread that uses it."""

    def __init__(self, lines: int = 16) -> None:
        self.table = Table(lines * LINE_BYTES)
        self.state = np.zeros(1, dtype=state_dtype(SHAPES[0]))
        self.next_search()

    def next_search(self) -> None:
        """Age the table and lend it to the state, as a session does before each search."""
        self.table.next_search()
        self.table.attach_to(self.state)

    def save(self, key: int, depth: int, ply: int, score: int, bound: int, move: int) -> None:
        """Save an entry as `table.save` does."""
        _compiled(_save)(self.state.ctypes.data, key, depth, ply, score, bound, move)

    def has(self, key: int) -> bool:
        """Return whether anything is stored for a key."""
        return bool(self._stored(key, 0))

    def score(self, key: int, ply: int) -> int:
        """Return the score stored for a key, as seen from a ply."""
        return self._stored(key, 1, ply=ply)

    def rest(self, key: int) -> tuple[int, int, int]:
        """Return the move, bound and depth stored for a key."""
        return self._stored(key, 2), self._stored(key, 3), self._stored(key, 4)

    def decides(self, key: int, ply: int, depth: int, beta: int) -> bool:
        """Return whether the entry stored for a key decides the null window below beta."""
        return bool(self._stored(key, 5, ply, depth, beta))

    def _stored(self, key: int, wanted: int, ply: int = 0, depth: int = 0, beta: int = 0) -> int:
        return _compiled(_probe)(self.state.ctypes.data, key, ply, depth, beta, wanted, 0)


@given(
    KEYS,
    st.integers(1, 120),
    st.integers(0, 40),
    SCORES,
    st.sampled_from([EXACT, LOWER_BOUND, UPPER_BOUND]),
    st.sampled_from(Direction),
)
def test_an_entry_is_found_again(
    key: int, depth: int, ply: int, score: int, bound: int, move: Direction
) -> None:
    """Score, move, bound and depth are found again for the key, and for no other."""
    entries = Entries()
    assert not entries.has(key)
    entries.save(key, depth, ply, score, bound, move)
    assert entries.has(key)
    assert entries.score(key, ply) == score
    assert entries.rest(key) == (move, bound, depth)
    assert not entries.has(key ^ 1 << 63)
    assert not entries.has(key ^ 1)


def test_proven_scores_are_counted_from_the_root() -> None:
    """A win five turns after the position is a win at ply 9 if the position is reached at ply 4."""
    entries = Entries()
    entries.save(1, 8, 2, int(win_at(2 + 5)), EXACT, 0)
    entries.save(2, 8, 2, int(loss_at(2 + 5)), EXACT, 0)
    entries.save(3, 8, 2, int(heuristic(0.5)), EXACT, 0)
    entries.save(4, 8, 2, int(draw_at(2 + 5)), EXACT, 0)
    seen = [entries.score(key, 4) for key in (1, 2, 3, 4)]
    assert seen == [win_at(9), loss_at(9), heuristic(0.5), draw_at(9)]


def test_entries_of_an_earlier_search_are_empty() -> None:
    """Every entry counts as empty in the next search, also after the generations have wrapped around."""
    entries = Entries()
    for _ in range(2 * GENERATIONS + 3):
        assert not any(entries.has(key) for key in range(8))
        for key in range(8):
            entries.save(key, 100, 0, 5, EXACT, 1)
        assert all(entries.has(key) for key in range(8))
        entries.next_search()


@settings(max_examples=50)
@given(st.integers(1, 2**64 - 1), st.integers(1, 2**64 - 1))
def test_a_torn_entry_is_not_found(one: int, other: int) -> None:
    """An entry of which two threads wrote one half each is found for neither key."""
    entries = Entries(1)
    entries.save(one, 5, 0, 7, EXACT, 1)
    words = entries.table.words.copy()
    entries.next_search()
    entries.save(other, 6, 0, -9, UPPER_BOUND, 2)
    # The first word is the key half of the first entry in the line.
    entries.table.words[0] = words[0]
    assert not entries.has(other)
    assert not entries.has(one)


def test_the_least_deep_entry_of_a_full_line_gives_way() -> None:
    """A full line replaces its least deep entry, whatever the order of the entries, and keeps the newest."""
    entries = Entries(1)
    for key, depth in ((1, 7), (2, 5), (3, 9), (4, 6)):
        entries.save(key, depth, 0, 7, EXACT, 1)
    entries.save(5, 1, 0, 8, EXACT, 1)
    assert [entries.has(key) for key in (1, 2, 3, 4, 5)] == [True, False, True, True, True]
    entries.save(6, 1, 0, 8, EXACT, 1)
    assert [entries.has(key) for key in (1, 3, 4, 5, 6)] == [True, True, True, False, True]


def test_a_newer_entry_takes_the_place_of_the_same_position_or_an_earlier_search() -> None:
    """A newer entry replaces one of the same position or of an earlier search, however deep that was."""
    entries = Entries(1)
    for key in range(LINE_ENTRIES):
        entries.save(key, 9, 0, 7, EXACT, 1)
    entries.save(2, 3, 0, -5, EXACT, 1)
    assert all(entries.has(key) for key in range(LINE_ENTRIES))
    assert entries.score(2, 0) == -5
    entries.next_search()
    entries.save(8, 1, 0, 8, EXACT, 1)
    entries.save(9, 1, 0, 8, EXACT, 1)
    assert entries.has(8)
    assert entries.has(9)


@given(SCORES, st.integers(-1_003_000, 1_003_000), st.integers(0, 20), st.integers(0, 20))
def test_null_windows_are_decided_by_bounds(score: int, beta: int, there: int, here: int) -> None:
    """An exact score decides every window, a bound those on its side, and a shallower search none."""
    entries = Entries()
    for bound, decides in ((EXACT, True), (LOWER_BOUND, score >= beta), (UPPER_BOUND, score < beta)):
        entries.save(9, 7, 3, score, bound, 0)
        assert entries.decides(9, 3, 7, beta) is decides
        assert entries.decides(9, 3, 6, beta) is decides
        assert not entries.decides(9, 3, 8, beta)
        seen = entries.score(9, here)
        expected = {EXACT: True, LOWER_BOUND: seen >= beta, UPPER_BOUND: seen < beta}[bound]
        assert entries.decides(9, here, 7, beta) is expected


@pytest.mark.parametrize(("size", "lines"), [(64, 1), (127, 1), (191, 2), (256, 4), (1 << 20, 1 << 14)])
def test_sizes_are_powers_of_two(size: int, lines: int) -> None:
    """A table has the largest power of two of lines that fits its size, and is aligned to a cache line."""
    made = Table(size)
    assert (made.words.nbytes, made.mask) == (lines * LINE_BYTES, lines - 1)
    assert made.words.ctypes.data % LINE_BYTES == 0
