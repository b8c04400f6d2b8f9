"""The transposition table: search results of positions that can be reached in several ways.

An entry is two words, the key and the data. The key is stored as key ^ data. If two threads each write one
half of an entry, its key matches no position. So sharing needs no lock (Hyatt and Mann, 2002). Entries of
earlier searches count as empty.

Each cache line holds a few entries. The lower half of a key selects the line. The key after my move has the
same lower half as the key of the position. So both entries are in one line, and a position waits for memory
once. Most positions are new and don't wait at all. A filter (Bloom, 1970, with one hash) reports new
positions as missing. It fits into the processor's cache. Meanwhile the line is prefetched for the save.

The data has, from its lowest bit: the generation (8 bits), the depth (12), the bound (4), the move (16) and
the score (24).
"""

import numpy as np
from numpy.typing import NDArray

from searcher.engine.jit import intrinsics
from searcher.engine.jit.decorator import njit
from searcher.engine.jit.words import WORD_BITS, WORD_BYTES, Word, int64, uint64
from searcher.engine.rules.board import is_alive
from searcher.engine.rules.records import Board
from searcher.engine.search.score import HEURISTIC_LIMIT
from searcher.engine.search.state import State

ENTRY_BYTES = 2 * WORD_BYTES
LINE_BYTES = 64
"""The size of a cache line on every supported processor."""
LINE_ENTRIES = LINE_BYTES // ENTRY_BYTES
FILTER_BITS = 8
"""The number of bits of the filter for each line."""
GENERATIONS = 256
"""The number of searches after which the table has to be cleared."""
SAMPLE = 4096
"""The number of entries from which the fill of a table is estimated."""

EXACT, LOWER_BOUND, UPPER_BOUND = 0, 1, 2
"""The bounds: the relation of the stored score to the true score."""

_DATA_OFFSET = np.uint64(WORD_BYTES)
_GENERATION_MASK = np.uint64(GENERATIONS - 1)
_DEPTH_SHIFT, _DEPTH_MASK = np.uint64(8), 0xFFF
_BOUND_SHIFT, _BOUND_MASK = np.uint64(20), 0x3
_MOVE_SHIFT, _MOVE_MASK = np.uint64(24), 0xFFFF
_SCORE_SHIFT, _SCORE_BIAS = np.uint64(40), 1 << 23

_LINE_BITS = np.uint64(32)
"""The low bits of a key that may select its line."""
_GROW_BITS = np.uint64(16)

_MIX_MULTIPLIER = np.uint64(0xFF51AFD7ED558CCD)
_MIX_FIRST_SHIFT, _MIX_LAST_SHIFT = np.uint64(33), np.uint64(29)
_GOLDEN_GAMMA = np.uint64(0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio, added between the parts of a hash (SplitMix64's increment)."""


class Table:
    """The memory of a table: `size` bytes, rounded down to a power of two of lines."""

    def __init__(self, size: int) -> None:
        lines = 1 << (size // LINE_BYTES).bit_length() - 1
        # np.full writes every page now. With np.zeros the first write of a search to each page would allocate
        # it, in 3 ms for a large page.
        words = np.full((lines + 1) * LINE_BYTES // WORD_BYTES, 0, dtype=np.uint64)
        start = -words.ctypes.data % LINE_BYTES // WORD_BYTES
        self.words: NDArray[np.uint64] = words[start : start + lines * LINE_BYTES // WORD_BYTES]
        self.mask = lines - 1
        self.filter: NDArray[np.uint64] = np.zeros(max(lines * FILTER_BITS // WORD_BITS, 1), dtype=np.uint64)
        self.generation = 0

    def next_search(self) -> None:
        """Make all entries count as empty."""
        self.filter.fill(0)
        self.generation += 1
        if self.generation == GENERATIONS:
            self.words.fill(0)
            self.generation = 1

    def attach_to(self, state: NDArray[np.void]) -> None:
        """Make a thread use this table in this search."""
        state["table"], state["table_mask"] = self.words.ctypes.data, self.mask
        state["filter"], state["generation"] = self.filter.ctypes.data, self.generation

    @property
    def fill(self) -> float:
        """The share of entries that this search has written, estimated from the first SAMPLE entries."""
        generations = self.words[1 : 2 * SAMPLE : 2].astype(np.uint8)
        return int(np.count_nonzero(generations == self.generation)) / len(generations)


@njit
def mix(value: Word) -> Word:
    """Spread every bit of a word over the whole word (MurmurHash3's finalizer, shortened)."""
    value = (value ^ (value >> _MIX_FIRST_SHIFT)) * _MIX_MULTIPLIER
    return value ^ (value >> _MIX_LAST_SHIFT)


@njit
def key_of(board: Board) -> Word:
    """Return a hash of everything that affects the future of a board.

    It covers the food and, for each snake, the order of its body, its growth and its health. If hazards close
    in, it also covers the turn.
    """
    key = uint64(board.turns)
    for word in board.food:
        key = mix(key ^ word) + _GOLDEN_GAMMA
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            state = uint64(board.health[snake]) << _GROW_BITS | uint64(board.grow[snake])
            key = mix(key ^ board.trail[snake] ^ state * _GOLDEN_GAMMA) + _GOLDEN_GAMMA
        key += _GOLDEN_GAMMA
    return key


@njit
def key_after_move(key: Word, move: int) -> Word:
    """Return the key of the position after my choice of a move and before the opponents' choice.

    Both keys have the same line.
    """
    return key ^ mix(uint64(move + 1) * _GOLDEN_GAMMA) << _LINE_BITS


@njit
def line_address(state: State, key: Word) -> Word:
    """Return the address of the line of a key."""
    return state.table + (key & state.table_mask) * np.uint64(LINE_BYTES)


@njit
def filter_bit(state: State, key: Word) -> tuple[Word, Word]:
    """Return the address of a key's word in the filter, and its bit there.

    The bit is set if the key may have been saved.
    """
    number = key & (state.table_mask * np.uint64(FILTER_BITS) + np.uint64(FILTER_BITS - 1))
    word = state.filter + number // np.uint64(WORD_BITS) * np.uint64(WORD_BYTES)
    return word, uint64(1) << number % np.uint64(WORD_BITS)


@njit
def is_current(state: State, data: Word) -> bool:
    """Return whether data of an entry are from this search."""
    return data & _GENERATION_MASK == state.generation


@njit
def probe(state: State, key: Word) -> Word:
    """Return the data that this search has stored for the key, or 0. Count the hits."""
    address = line_address(state, key)
    word, bit = filter_bit(state, key)
    if intrinsics.peek(word) & bit == 0:
        intrinsics.prefetch(address)
        return uint64(0)
    for _ in range(LINE_ENTRIES):
        data = intrinsics.peek(address + _DATA_OFFSET)
        if intrinsics.peek(address) ^ data == key and is_current(state, data):
            state.table_hits += 1
            return data
        address += np.uint64(ENTRY_BYTES)
    return uint64(0)


@njit
def entry_to_replace(state: State, key: Word) -> Word:
    """Return the address of the entry to overwrite with a result for the key.

    It is this search's entry for the key, or an entry of an earlier search, or else the least deep entry.
    """
    address = line_address(state, key)
    best, least = address, _DEPTH_MASK
    for _ in range(LINE_ENTRIES):
        data = intrinsics.peek(address + _DATA_OFFSET)
        current = is_current(state, data)
        # An entry of an earlier search counts as empty even for its own key. Otherwise the entries that a
        # search replaces would depend on the searches before it.
        if current and intrinsics.peek(address) ^ data == key:
            return address
        depth = depth_of(data) if current else -1
        if depth < least:
            best, least = address, depth
        address += np.uint64(ENTRY_BYTES)
    return best


@njit
def save(state: State, key: Word, depth: int, ply: int, score: int, bound: int, move: int) -> None:
    """Store the result of a search `depth` turns deep. Turns of a proven end count from the position."""
    address = entry_to_replace(state, key)
    # If two threads write here at the same moment, one of the bits may be lost, and its entry with it.
    word, bit = filter_bit(state, key)
    intrinsics.poke(word, intrinsics.peek(word) | bit)
    if score >= HEURISTIC_LIMIT:
        score += ply
    elif score <= -HEURISTIC_LIMIT:
        score -= ply
    data = uint64(score + _SCORE_BIAS) << _SCORE_SHIFT | uint64(move & _MOVE_MASK) << _MOVE_SHIFT
    data |= uint64(bound) << _BOUND_SHIFT | uint64(depth) << _DEPTH_SHIFT
    data |= state.generation
    intrinsics.poke(address, key ^ data)
    intrinsics.poke(address + _DATA_OFFSET, data)


@njit
def score_of(data: Word, ply: int) -> int:
    """Return the stored score. The turns of proven ends are counted from the root."""
    score = int64(data >> _SCORE_SHIFT) - _SCORE_BIAS
    if score >= HEURISTIC_LIMIT:
        return score - ply
    if score <= -HEURISTIC_LIMIT:
        return score + ply
    return score


@njit
def move_in(data: Word) -> int:
    """Return the stored best move: mine, or a joint move of the opponents."""
    return int64(data >> _MOVE_SHIFT) & _MOVE_MASK


@njit
def bound_of(data: Word) -> int:
    """Return EXACT, LOWER_BOUND or UPPER_BOUND."""
    return int64(data >> _BOUND_SHIFT) & _BOUND_MASK


@njit
def depth_of(data: Word) -> int:
    """Return the depth of the search that gave the score, in turns."""
    return int64(data >> _DEPTH_SHIFT) & _DEPTH_MASK


@njit
def allows_cutoff(data: Word, ply: int, depth: int, beta: int) -> bool:
    """Return whether an entry decides the null window below beta for a search `depth` turns deep."""
    if depth_of(data) < depth:
        return False
    bound = bound_of(data)
    return bound == EXACT or (score_of(data, ply) >= beta) == (bound == LOWER_BOUND)


@njit
def bound_for(score: int, alpha: int, beta: int) -> int:
    """Return the bound of a score from a search of the window (alpha, beta)."""
    if score >= beta:
        return LOWER_BOUND
    return EXACT if score > alpha else UPPER_BOUND
