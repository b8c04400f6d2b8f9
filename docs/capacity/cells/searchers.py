"""The searchers of cells, second by second."""

from math import ceil

import numpy as np
from numpy.typing import NDArray

from docs.capacity.measured import MOVE, SEARCH
from docs.capacity.scaling.replicas import SYNC, Bounds, Policy, Replicas, by_total
from docs.capacity.tournament.cluster import PHASE, START

CORES = 2
"""Cores of a pod."""

MOVES_A_SECOND = 1 / MOVE
"""Moves of a game."""

SEARCHES_A_GAME = SEARCH * MOVES_A_SECOND
"""Searches of a game at once, on average."""

BOUNDS = Bounds(2, 400, up=(Policy(15, pods=20, percent=100),), window=120)

WINDOW = 5
"""Seconds over which the scaler averages searches."""

Values = NDArray[np.float64]
"""One value for each second, or for each cell and second."""


def ready_pods(games: Values, target: float, first: int | None = None) -> Values:
    """Return the ready pods of a cell in each second, of which an autoscaler keeps as many as its games need.

    `target` is the searches for each core. The cell begins with `first` pods; by default with those that its
    first games need.
    """
    searches = games * SEARCHES_A_GAME
    needed = max(ceil(searches[:1].sum() / (target * CORES)), BOUNDS.least)
    count = needed if first is None else first
    ready, replicas = np.full(len(games), float(count)), Replicas(BOUNDS)
    for now in range(ceil(PHASE), len(games), int(SYNC)):
        total = float(searches[max(0, now - WINDOW) : now].mean())
        decided = replicas.decide(now, count, by_total(total, target * CORES, count))
        delay = round(START) if decided > count else 0
        ready[now + delay :] = decided
        count = decided
    return ready


def shares(games: Values, ready: Values) -> Values:
    """Return the core seconds of a search where all pods have as many searches; 0 where there is no pod."""
    searches = np.maximum(games * SEARCHES_A_GAME, 1e-9)
    return SEARCH * np.minimum(1.0, ready * CORES / searches)
