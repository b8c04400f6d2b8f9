"""Royale's hazards that are to come, as a search expects them: plain numpy, once for each position.

At every step one of the four sides, by chance, of the cells without hazards gets one more row of hazard.
Every side keeps its own count, so steps along x and along y are looked at apart, and put together by how many
of the steps so far may have been along each.
"""

from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray


def coming_layers(free: NDArray[np.bool_], steps: int) -> NDArray[np.float64]:
    """How likely each cell of the board has become a hazard, by steps from now and by (x, y).

    `free`: the cells without hazards, by (x, y). The first index runs from 0 to `steps`, or until nothing is
    left. Where the free cells are no rectangle, hazards stay as they are: there is step 0 alone.
    """
    columns, rows = np.flatnonzero(free.any(axis=1)), np.flatnonzero(free.any(axis=0))
    inside = np.ix_(columns, rows)
    if not free.any() or not free[inside].all() or not _are_next_to_another(columns, rows):
        return np.zeros((1, *free.shape))
    chances = chances_of_hazard(len(columns), len(rows), min(steps, len(columns) + len(rows) - 1))
    coming = np.zeros((len(chances), *free.shape))
    coming[:, inside[0], inside[1]] = chances
    return coming


def _are_next_to_another(*lines: NDArray[np.intp]) -> bool:
    return all(line[-1] - line[0] + 1 == len(line) for line in lines)


@lru_cache(maxsize=64)
def chances_of_hazard(width: int, height: int, steps: int) -> NDArray[np.float64]:
    """How likely each cell of a free rectangle is a hazard after 0 to `steps` steps, by step and (x, y)."""
    across, along = _chances_to_stay_free(width, steps), _chances_to_stay_free(height, steps)
    chances = np.empty((steps + 1, width, height))
    for step in range(steps + 1):
        ways = [comb(step, sideways) / 2**step for sideways in range(step + 1)]
        chances[step] = 1.0 - (across[: step + 1].T * ways) @ along[step::-1]
    return chances


def _chances_to_stay_free(length: int, steps: int) -> NDArray[np.float64]:
    """How likely each of a line's cells is free after 0 to `steps` steps, each from one of its two ends."""
    # By the rows that may yet come from the one end and from the other: none left is index 1, a hazard is 0.
    spare = np.ones((length + 1, length + 1))
    spare[0, :] = spare[:, 0] = 0.0
    place = np.arange(1, length + 1)
    chances = np.empty((steps + 1, length))
    for step in range(steps + 1):
        chances[step] = spare[place, place[::-1]]
        spare[1:, 1:] = (spare[:-1, 1:] + spare[1:, :-1]) / 2
    return chances
