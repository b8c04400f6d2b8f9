"""What a simulated cluster did: depths, reflexes, pods, cost, and when full depth was back."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from docs.capacity.measured import LEAST_SHARE, Depths
from docs.capacity.tournament.cluster import Cluster
from docs.capacity.tournament.games import TOURNAMENT_START

BIN = 5
"""Seconds over which depths are averaged."""

NEAR = 0.5
"""Turns by which a cluster may search less deeply than the largest one and still have full depth."""

LASTING = 30
"""Seconds for which that must last."""


@dataclass(frozen=True)
class Outcome:
    """A cluster after its simulation: when each move was answered, its core seconds, and its depth."""

    cluster: Cluster
    at: NDArray[np.float64]
    shares: NDArray[np.float64]
    depths: NDArray[np.float64]

    @property
    def name(self) -> str:
        """The name of the setup."""
        return self.cluster.setup.name

    @property
    def reflexes(self) -> int:
        """The moves without a search."""
        return int((self.shares < LEAST_SHARE).sum())

    @property
    def core_hours(self) -> float:
        """The core hours of all pods from their request to their end."""
        return self.cluster.core_seconds / 3600

    @property
    def first_minute(self) -> float:
        """The mean depth in the first minute of the tournament."""
        inside = (self.at >= TOURNAMENT_START) & (self.at < TOURNAMENT_START + 60)
        return float(self.depths[inside].mean())

    @property
    def worst_tenth(self) -> float:
        """The depth that nine of ten moves reach."""
        return float(np.quantile(self.depths, 0.1))

    def means(self) -> NDArray[np.float64]:
        """Return the mean depth in each BIN; NaN where there is no move."""
        bins = (self.at / BIN).astype(int)
        size = int(self.cluster.setup.until) // BIN + 1
        moves = np.bincount(bins, minlength=size)
        sums = np.bincount(bins, self.depths, minlength=size)
        means = np.full(size, np.nan)
        np.divide(sums, moves, out=means, where=moves > 0)
        return means


def outcome_of(cluster: Cluster, depths: Depths) -> Outcome:
    """Return what a cluster did, after its simulation."""
    moves = np.array(cluster.moves, dtype=np.float64).reshape(-1, 2)
    return Outcome(cluster, moves[:, 0], moves[:, 1], depths.of(moves[:, 1]))


def full_depth_after(outcome: Outcome, largest: Outcome, until: float) -> int | None:
    """Return after how many seconds of the first round full depth is back; None if not before `until`.

    Full depth is that of the largest cluster in the same rounds, less NEAR turns. It has to last for LASTING
    seconds, and is looked for in steps of BIN.
    """
    is_near = outcome.means() >= largest.means() - NEAR
    needed = LASTING // BIN
    for first in range(int(TOURNAMENT_START) // BIN, int(until) // BIN):
        if is_near[first : first + needed].all():
            return first * BIN - int(TOURNAMENT_START)
    return None
