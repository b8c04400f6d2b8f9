"""Queries of one board, and changes of its sets of cells, for compiled stages and searches."""

from typing import Any

import numpy as np

from searcher.engine.jit.decorator import njit
from searcher.engine.jit.words import WORD_BITS, WORD_SHIFT
from searcher.engine.rules.records import RING


@njit
def is_alive(board: Any, snake: int) -> bool:
    """Return whether the snake is on the board."""
    return board.length[snake] > 0


@njit
def living_others(board: Any, you: int) -> int:
    """Return how many snakes other than one are on the board."""
    others = 0
    for snake in range(len(board.head)):
        others += int(snake != you and is_alive(board, snake))
    return others


@njit
def ring_cell(game: Any, snake: int, place: int) -> int:
    """Return the cell at a place of the snake's ring. Places count up without end; the ring wraps around."""
    return game.ring[snake, place & (RING - 1)]


@njit
def distinct_cells(board: Any, snake: int) -> int:
    """Return how many cells the snake's body covers: its length without the parts yet to unfold."""
    return board.head_at[snake] - board.tail_at[snake] + 1


@njit
def is_off_board(game: Any, cell: int) -> bool:
    """Return whether the cell is the one that stands for all cells off the board."""
    return cell == len(game.cell_hash) - 1


@njit
def has(words: Any, cell: int) -> bool:
    """Return whether a set held as a record's field of words contains the cell."""
    return (words[cell >> WORD_SHIFT] >> (cell & (WORD_BITS - 1))) & 1 != 0


@njit
def set_cell(words: Any, cell: int) -> None:
    """Add the cell to a set held as a record's field of words."""
    words[cell >> WORD_SHIFT] |= np.uint64(1) << np.uint64(cell & (WORD_BITS - 1))


@njit
def clear_cell(words: Any, cell: int) -> None:
    """Remove the cell from a set held as a record's field of words."""
    words[cell >> WORD_SHIFT] &= ~(np.uint64(1) << np.uint64(cell & (WORD_BITS - 1)))
