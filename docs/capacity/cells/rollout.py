"""A new evaluator goes from cell to cell, and is stopped where the metrics show that it is bad.

The searchers of a cell are replaced by a rolling update, a quarter of them at a time, so that none is
missing. Since gateways spread moves over all searchers of their cell, all its games meet the new evaluator
from the first replaced searcher on.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from docs.capacity.cells.games import Games, steady
from docs.capacity.cells.routing import Keys, cell_keys, route
from docs.capacity.cells.searchers import Values
from docs.capacity.tournament.cluster import START

BATCHES = 4
"""The parts in which the searchers of a cell are replaced (`maxSurge: 25%`)."""

ROLL = BATCHES * (START + 2)
"""Seconds for that: a new searcher has to start, and an old one to finish its searches."""

LONGEST_GAME = 310.0
"""Seconds after which no game is left in a cell that gets no new ones."""

Wave = tuple[float, Sequence[int]]
"""The second from which cells are replaced, and which."""


@dataclass(frozen=True)
class Rollout:
    """The waves of a rollout, whose cells get no new games for `drain` seconds before they are replaced."""

    name: str
    waves: Sequence[Wave]
    drain: float = 0.0

    @property
    def end(self) -> float:
        """The second at which all cells have the new evaluator."""
        return max(at for at, _ in self.waves) + ROLL

    def starts(self, cells: int) -> Values:
        """Return the second from which each cell is replaced."""
        starts = np.full(cells, np.inf)
        for at, wave in self.waves:
            starts[list(wave)] = at
        return starts


def at_once(cells: int, begin: float) -> Rollout:
    """Return a rollout of all cells at the same time."""
    return Rollout("all cells at once", [(begin, range(cells))])


def canary_then_all(cells: int, begin: float, soak: float = 300) -> Rollout:
    """Return a rollout of one cell, and of all others after `soak` seconds."""
    return Rollout("one cell, then all", [(begin, [0]), (begin + ROLL + soak, range(1, cells))])


def doubling(cells: int, begin: float, soak: float = 120) -> Rollout:
    """Return a rollout of 1, 1, 2, 4, 8 ... cells, with `soak` seconds after each wave."""
    waves: list[Wave] = []
    done = 0
    while done < cells:
        size = min(max(done, 1), cells - done)
        waves.append((begin + len(waves) * (ROLL + soak), range(done, done + size)))
        done += size
    return Rollout("1, 1, 2, 4, 8 ... cells", waves)


def drained(cells: int, begin: float, size: int = 2) -> Rollout:
    """Return a rollout of `size` cells at a time, which have finished their games before."""
    groups = [range(at, min(at + size, cells)) for at in range(0, cells, size)]
    step = LONGEST_GAME + ROLL
    waves = [(begin + LONGEST_GAME + number * step, group) for number, group in enumerate(groups)]
    return Rollout("two cells at a time, empty", waves, LONGEST_GAME)


@dataclass(frozen=True)
class Placed:
    """The games of a rollout and their cells."""

    games: Games
    cells: NDArray[np.int64]


def place(rollout: Rollout, cells: int, games_a_cell: int, seed: int = 1) -> Placed:
    """Return games until the end of a rollout; a new game avoids the cells that are drained at its start."""
    games = steady(cells * games_a_cell, rollout.end + 300, seed)
    keys = cell_keys(cells)
    home = route(games.keys, keys)
    if rollout.drain:
        for at, wave in rollout.waves:
            _avoid(home, games, keys, at, list(wave), rollout.drain)
    return Placed(games, home)


def _avoid(
    home: NDArray[np.int64], games: Games, keys: Keys, at: float, wave: Sequence[int], drain: float
) -> None:
    is_up = ~np.isin(np.arange(len(keys)), wave)
    moved = (games.starts >= at - drain) & (games.starts < at + ROLL) & np.isin(home, wave)
    home[moved] = route(games.keys[moved], keys, is_up)


def met_both(placed: Placed, starts: Values) -> int:
    """Return how many games met the old and the new evaluator: those played while their cell was replaced."""
    begin = starts[placed.cells]
    return int((placed.games.overlap(begin, begin + ROLL) > 0).sum())
