"""Short arrays on the stack of compiled code."""

import numpy as np

from searcher.engine.jit import stack
from searcher.engine.jit.decorator import njit

COUNT = 5


@njit
def _running_sums(first: float, second: float, third: float) -> tuple[float, float]:
    values, sums = stack.floats_of((first, second, third)), stack.floats(COUNT)
    for index in range(COUNT):
        sums[index] = index
        for value in values:
            sums[index] += value
    return sums[0], sums[COUNT - 1]


def test_arrays_keep_their_values() -> None:
    """Those of a tuple, as float32, and those that were written."""
    first, last = _running_sums(0.1, 2.0, -3.5)
    total = sum(np.float32(value) for value in (0.1, 2.0, -3.5))
    assert np.float32(first) == total and np.float32(last) == np.float32(4) + total
