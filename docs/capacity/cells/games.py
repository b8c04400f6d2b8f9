"""Games that begin all the time, and how many of them each cell has in each second."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docs.capacity.cells.routing import Keys
from docs.capacity.tournament.games import GAME_DEVIATION, MEAN_GAME, SHORTEST_GAME

Seconds = NDArray[np.float64]


@dataclass(frozen=True)
class Games:
    """Games by the keys of their ids and the seconds of their start and end."""

    keys: Keys
    starts: Seconds
    ends: Seconds

    def overlap(self, begin: float | Seconds, end: float | Seconds) -> Seconds:
        """Return for how many seconds each game is played between two times."""
        played: Seconds = np.minimum(self.ends, end) - np.maximum(self.starts, begin)
        return played.clip(0)

    def ended_at(self, ends: Seconds) -> "Games":
        """Return the same games with other ends."""
        return replace(self, ends=ends)


def steady(at_once: int, until: float, seed: int = 1) -> Games:
    """Return games that begin at random, of which about `at_once` are played at any time until `until`."""
    random = np.random.default_rng(seed)
    lead = MEAN_GAME + 4 * GAME_DEVIATION
    count = round(at_once * (until + lead) / MEAN_GAME)
    starts = random.uniform(-lead, until, count)
    lengths = np.maximum(random.normal(MEAN_GAME, GAME_DEVIATION, count), SHORTEST_GAME)
    return Games(random.integers(0, 1 << 64, count, dtype=np.uint64), starts, starts + lengths)


class Epoch(NamedTuple):
    """A time from which games are played in these cells, by their indices; -1 is nowhere."""

    begin: float
    cells: NDArray[np.int64]


def counts(games: Games, epochs: Sequence[Epoch], cells: int, until: int) -> NDArray[np.float64]:
    """Return how many games each cell has in each second: an array of cells and seconds."""
    changes = np.zeros((cells, until + 1))
    ends = [epoch.begin for epoch in epochs[1:]] + [float(until)]
    for epoch, end in zip(epochs, ends, strict=True):
        starts = np.ceil(np.maximum(games.starts, epoch.begin)).astype(int)
        stops = np.ceil(np.minimum(games.ends, end)).astype(int)
        played = (stops > starts) & (epoch.cells >= 0)
        np.add.at(changes, (epoch.cells[played], starts[played]), 1)
        np.add.at(changes, (epoch.cells[played], stops[played]), -1)
    return changes.cumsum(axis=1)[:, :until]
