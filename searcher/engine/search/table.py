"""The transposition table: what was found out about positions that can be reached in several ways.

An entry is two words, the key and the data, the key stored as key ^ data: an entry that two threads wrote
half each belongs to no position, so sharing needs no lock. Entries of an earlier search count as empty.

Entries lie in cache lines, a few in each. The lower half of a key says which line, so what is known of a
position lies beside what is known of it once I have chosen a move: memory is waited for once. Most positions
are new, and then it is not waited for at all: a filter (Bloom, 1970, with one hash), small enough for the
processor's own memory, knows that nothing is there, and the line is on its way by the time of the save.
"""

from typing import Any

import numpy as np
from numba import int64, njit, uint64
from numpy.typing import NDArray

from searcher.engine.jit.intrinsics import peek, poke, prefetch
from searcher.engine.jit.vectors import WORD_BITS
from searcher.engine.rules.board import is_alive
from searcher.engine.search.score import HEURISTIC_LIMIT

ENTRY_BYTES = 16
LINE_BYTES = 64
"""A cache line of every processor that this runs on."""
LINE_ENTRIES = LINE_BYTES // ENTRY_BYTES
FILTER_BITS = 8
"""Of the filter, for each line."""
GENERATIONS = 256
SAMPLE = 4096
"""Entries that tell how full a table is."""

EXACT, AT_LEAST, AT_MOST = 0, 1, 2
"""What the stored score says of the true one."""

_DEPTHS = 0xFFF
_SCORE_BIAS = 1 << 23
_MIX = np.uint64(0xFF51AFD7ED558CCD)
_STEP = np.uint64(0x9E3779B97F4A7C15)


class Table:
    """The memory of a table of `size` bytes, rounded down to a power of two lines; `next_search` ages it."""

    def __init__(self, size: int) -> None:
        lines = 1 << (size // LINE_BYTES).bit_length() - 1
        # Not np.zeros, which leaves the pages of memory to be made when a search first writes to them: that
        # takes 3 ms for each large one.
        words = np.full((lines + 1) * LINE_BYTES // 8, 0, dtype=np.uint64)
        start = -words.ctypes.data % LINE_BYTES // 8
        self.words: NDArray[np.uint64] = words[start : start + lines * LINE_BYTES // 8]
        self.mask = lines - 1
        self.filter: NDArray[np.uint64] = np.zeros(max(lines * FILTER_BITS // WORD_BITS, 1), dtype=np.uint64)
        self.generation = 0

    def next_search(self) -> None:
        """Makes all entries count as empty."""
        self.filter.fill(0)
        self.generation += 1
        if self.generation == GENERATIONS:
            self.words.fill(0)
            self.generation = 1

    def lend(self, state: NDArray[np.void]) -> None:
        """Has a thread use this table in this search."""
        state["table"], state["table_mask"] = self.words.ctypes.data, self.mask
        state["filter"], state["generation"] = self.filter.ctypes.data, self.generation

    @property
    def fill(self) -> float:
        """The share of entries that this search has written, told from the first few thousand of them."""
        generations = self.words[1 : 2 * SAMPLE : 2].astype(np.uint8)
        return int(np.count_nonzero(generations == self.generation)) / len(generations)


@njit
def mix(value: Any) -> Any:
    """Spreads every bit of a word over all of it (MurmurHash3's finalizer, shortened)."""
    value = (value ^ (value >> np.uint64(33))) * _MIX
    return value ^ (value >> np.uint64(29))


@njit
def key_of(board: Any) -> Any:
    """A hash of all that matters to the future of a board: food, and each body's order, growth and health.

    The turn is part of it where hazards close in.
    """
    key = uint64(board.turns)
    for word in board.food:
        key = mix(key ^ word) + _STEP
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            state = uint64(board.health[snake]) << np.uint64(16) | uint64(board.grow[snake])
            key = mix(key ^ board.trail[snake] ^ state * _STEP) + _STEP
        key += _STEP
    return key


@njit
def key_after_move(key: Any, move: int) -> Any:
    """A hash of the position of a key once I have chosen a move and the others have not; in the same line."""
    return key ^ mix(uint64(move + 1) * _STEP) << np.uint64(32)


@njit
def line_address(state: Any, key: Any) -> Any:
    """Where the line of a key lies."""
    return state.table + (key & state.table_mask) * np.uint64(LINE_BYTES)


@njit
def filter_bit(state: Any, key: Any) -> tuple[Any, Any]:
    """Where the filter's word for a key lies, and its bit there: set if the key may have been saved."""
    number = key & (state.table_mask * np.uint64(FILTER_BITS) + np.uint64(FILTER_BITS - 1))
    word = state.filter + number // np.uint64(WORD_BITS) * np.uint64(WORD_BITS // 8)
    return word, uint64(1) << number % np.uint64(WORD_BITS)


@njit
def probe(state: Any, key: Any) -> Any:
    """The data stored for the key by this search, or 0. Counts what it finds."""
    address = line_address(state, key)
    word, bit = filter_bit(state, key)
    if peek(word) & bit == 0:
        prefetch(address)
        return uint64(0)
    for _ in range(LINE_ENTRIES):
        data = peek(address + np.uint64(8))
        if peek(address) ^ data == key and data & np.uint64(GENERATIONS - 1) == state.generation:
            state.table_hits += 1
            return data
        address += np.uint64(ENTRY_BYTES)
    return uint64(0)


@njit
def place_for(state: Any, key: Any) -> Any:
    """Where to store what is found out for a key: over the same, an older, or the least deep of its line."""
    address = line_address(state, key)
    best, least = address, _DEPTHS
    for _ in range(LINE_ENTRIES):
        data = peek(address + np.uint64(8))
        if peek(address) ^ data == key:
            return address
        depth = depth_of(data) if data & np.uint64(GENERATIONS - 1) == state.generation else -1
        if depth < least:
            best, least = address, depth
        address += np.uint64(ENTRY_BYTES)
    return best


@njit
def save(state: Any, key: Any, depth: int, ply: int, score: int, bound: int, move: int) -> None:
    """Stores what is known `depth` turns deep."""
    address = place_for(state, key)
    # Of two threads that write here at the same moment one may be forgotten, and its entry with it.
    word, bit = filter_bit(state, key)
    poke(word, peek(word) | bit)
    if score >= HEURISTIC_LIMIT:
        score += ply
    elif score <= -HEURISTIC_LIMIT:
        score -= ply
    data = uint64(score + _SCORE_BIAS) << np.uint64(40) | uint64(move & 0xFFFF) << np.uint64(24)
    data |= uint64(bound) << np.uint64(20) | uint64(depth) << np.uint64(8)
    data |= state.generation
    poke(address, key ^ data)
    poke(address + np.uint64(8), data)


@njit
def score_of(data: Any, ply: int) -> int:
    """The stored score, proven ends counted from the root."""
    score = int64(data >> np.uint64(40)) - _SCORE_BIAS
    if score >= HEURISTIC_LIMIT:
        return score - ply
    if score <= -HEURISTIC_LIMIT:
        return score + ply
    return score


@njit
def move_in(data: Any) -> int:
    """The stored best move: mine, or of the others a joint move."""
    return int64(data >> np.uint64(24)) & 0xFFFF


@njit
def bound_of(data: Any) -> int:
    """EXACT, AT_LEAST or AT_MOST."""
    return int64(data >> np.uint64(20)) & 3


@njit
def depth_of(data: Any) -> int:
    """The turns that were looked ahead."""
    return int64(data >> np.uint64(8)) & _DEPTHS


@njit
def decides(data: Any, ply: int, depth: int, beta: int) -> bool:
    """Whether an entry answers a null window below beta."""
    if depth_of(data) < depth:
        return False
    bound = bound_of(data)
    return bound == EXACT or (score_of(data, ply) >= beta) == (bound == AT_LEAST)


@njit
def bound_for(score: int, alpha: int, beta: int) -> int:
    """What a score that a search of the window (alpha, beta) gave says of the true one."""
    if score >= beta:
        return AT_LEAST
    return EXACT if score > alpha else AT_MOST
