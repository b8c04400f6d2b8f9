"""The expected hazards of royale in a search: plain NumPy, computed once for each position.

At every step one side of the rectangle without hazards, chosen at random, gets one more row of hazards. For
given numbers of steps along x and along y, the steps along the two axes are independent. So the axes are
computed separately, and combined by the probabilities of these numbers.
"""

from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray


def expected_layers(free: NDArray[np.bool_], steps: int) -> NDArray[np.float64]:
    """Return the expected layers of new hazard on each cell, by the number of steps from now and by (x, y).

    The value is the probability that the cell has become a hazard, from 0 to 1. `free`: the cells without
    hazards, by (x, y). The first index runs from 0 to `steps`, or to the step that leaves no free cell. If
    the free cells are not a rectangle, hazards stay as they are, and the result has step 0 only.
    """
    columns, rows = np.flatnonzero(free.any(axis=1)), np.flatnonzero(free.any(axis=0))
    inside = np.ix_(columns, rows)
    if not free.any() or not free[inside].all() or not _are_contiguous(columns, rows):
        return np.zeros((1, *free.shape))
    steps = min(steps, len(columns) + len(rows) - 1)
    expected = np.zeros((steps + 1, *free.shape))
    expected[:, inside[0], inside[1]] = hazard_probabilities(len(columns), len(rows), steps)
    return expected


def _are_contiguous(*lines: NDArray[np.intp]) -> bool:
    return all(line[-1] - line[0] + 1 == len(line) for line in lines)


@lru_cache(maxsize=64)
def hazard_probabilities(width: int, height: int, steps: int) -> NDArray[np.float64]:
    """Return the probability that a cell of a free rectangle is a hazard after 0 to `steps` steps.

    The indices of the result are the step and (x, y).
    """
    across, along = _free_probabilities(width, steps), _free_probabilities(height, steps)
    probabilities = np.empty((steps + 1, width, height))
    for step in range(steps + 1):
        splits = [comb(step, sideways) / 2**step for sideways in range(step + 1)]
        probabilities[step] = 1.0 - (across[: step + 1].T * splits) @ along[step::-1]
    return probabilities


def _free_probabilities(length: int, steps: int) -> NDArray[np.float64]:
    """Return the probability that each cell of a line is free after 0 to `steps` steps, by step and cell.

    Each step takes one cell from a random end of the line.
    """
    # `free[i, j]` is the probability for a cell that is the i-th from one end and the j-th from the other,
    # counted from 1. An index of 0 means that the cell is a hazard already.
    free = np.ones((length + 1, length + 1))
    free[0, :] = free[:, 0] = 0.0
    place = np.arange(1, length + 1)
    probabilities = np.empty((steps + 1, length))
    for step in range(steps + 1):
        probabilities[step] = free[place, place[::-1]]
        free[1:, 1:] = (free[:-1, 1:] + free[1:, :-1]) / 2
    return probabilities
