"""The layout of a set of cells: machine words, lowest first, with one bit for each cell. Casts to words."""

from typing import Any

import numpy as np

int64: Any = np.int64
uint64: Any = np.uint64
"""Casts in compiled code. Their type is Any, because compiled code takes the results for integers."""

WORD_BITS = 64
WORD_BYTES = WORD_BITS // 8
WORD_SHIFT = 6
"""A cell's number shifted right by this is the index of its word."""

STRIDES = {2: 11, 7: 19, 10: 25}
"""The number of cells in a row, by the number of words of a set."""
