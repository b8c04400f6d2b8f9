"""The layout of a set of cells: machine words, lowest first, with one bit for each cell. Casts to words."""

from typing import Any, TypeAlias

import numpy as np

Cells: TypeAlias = Any
"""A set of cells in compiled code: a vector of as many words as the field that it was loaded from.

The operators & | ^ ~ == != and the functions of `cells` take it. Python has no such values.
"""

Words: TypeAlias = Any
"""A record's field with a set of cells: an array of uint64, by word. `cells.load` makes a set of it."""

Word: TypeAlias = Any
"""A uint64 in compiled code: a key or the data of the transposition table, a random number or an address."""

int64: Any = np.int64
uint64: Any = np.uint64
"""Casts in compiled code. Their type is Any, because compiled code takes the results for integers."""

WORD_BITS = 64
WORD_BYTES = WORD_BITS // 8
WORD_SHIFT = 6
"""A cell's number shifted right by this is the index of its word."""

STRIDES = {2: 11, 7: 19, 10: 25}
"""The number of cells in a row, by the number of words of a set."""
