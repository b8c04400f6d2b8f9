"""Bad evaluators, how a rollout notices them, and who has met them by then."""

from dataclasses import dataclass

import numpy as np

from docs.capacity.cells.games import Epoch, counts
from docs.capacity.cells.rollout import ROLL, Placed, Rollout
from docs.capacity.cells.searchers import MOVES_A_SECOND, SEARCHES_A_GAME, Values, ready_pods, shares
from docs.capacity.measured import Depths

CHECK, WINDOW = 15, 60
"""Seconds: how often the rules are evaluated, and the time over which they average."""

DROP = 1.0
"""Turns by which new searchers may search less deeply than the others, or than before the rollout."""

CRASHES = 3
"""Ends of searchers in a minute that stop a rollout."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with an evaluator.

    `speed` is its share of the old one's, and `crash` the probability with which a search ends its searcher.
    """

    name: str
    speed: float = 1.0
    crash: float = 0.0


@dataclass(frozen=True)
class Stopped:
    """What a bad evaluator did until all searchers had the old one again.

    `noticed` is in seconds after the beginning; None if no check noticed it.
    """

    rollout: Rollout
    fault: Fault
    noticed: float | None
    met: int
    """Games that met it."""
    playing: int
    """Games that are played at any time."""
    cut_short: int
    """Moves whose search ended with its searcher."""
    new: Values
    """The share of the new searchers, by cell and second."""
    depths: Values
    """The mean depth of all moves, by cell and second."""


def simulate_fault(
    rollout: Rollout, fault: Fault, placed: Placed, cells: int, target: float, depths: Depths
) -> Stopped:
    """Return what a bad evaluator does in a rollout, until it is noticed and gone."""
    until = int(rollout.end + 300)
    begin = min(at for at, _ in rollout.waves)
    games = counts(placed.games, [Epoch(0, placed.cells)], cells, until)
    ready = np.array([ready_pods(row, target) for row in games])
    if rollout.drain:
        # The autoscaler of an empty cell rests; otherwise its games would come back to two pods.
        ready = np.maximum(ready, ready[:, [0]])
    share = shares(games, ready)
    old, bad = depths.of(share), depths.of(share * fault.speed)
    starts, seconds = rollout.starts(cells), np.arange(until)
    new = np.clip((seconds - starts[:, None]) / ROLL, 0, 1)
    cut = games * new * MOVES_A_SECOND * fault.crash * games * SEARCHES_A_GAME / np.maximum(ready, 1)
    crashes = games * new * MOVES_A_SECOND * fault.crash
    untouched = games * (seconds < starts[:, None] - rollout.drain)
    noticed = _notice(int(begin), games * new, untouched, bad, old, crashes)
    if noticed is not None:
        new = _rolled_back(new, noticed)
        cut = cut * (new > 0) * (seconds < noticed + ROLL)
    met = _met(placed, starts, until if noticed is None else noticed)
    return Stopped(
        rollout,
        fault,
        None if noticed is None else noticed - begin,
        met,
        int(games[:, int(begin)].sum()),
        round(float(cut.sum())),
        new,
        new * bad + (1 - new) * old,
    )


def _notice(
    begin: int, new: Values, untouched: Values, bad: Values, old: Values, crashes: Values
) -> int | None:
    """Return the first check at which the last minute's metrics show a fault."""
    # A cell that is being emptied for the rollout is no measure: it searches more deeply than any other.
    before = _mean(old, untouched, begin - WINDOW, begin)
    for now in range(begin + CHECK, new.shape[1], CHECK):
        since = max(begin, now - WINDOW)
        if crashes[:, since:now].sum() >= CRASHES:
            return now
        compared = _mean(old, untouched, since, now) if untouched[:, since:now].any() else before
        if now - since >= WINDOW and _mean(bad, new, since, now) < compared - DROP:
            return now
    return None


def _mean(depths: Values, games: Values, since: int, now: int) -> float:
    """Return the mean depth of these games' moves between two seconds; infinite without games."""
    weights = games[:, since:now]
    return float(np.average(depths[:, since:now], weights=weights)) if weights.any() else np.inf


def _rolled_back(new: Values, noticed: int) -> Values:
    """Return the shares of new searchers if all are replaced again from then on."""
    gone = np.clip((np.arange(new.shape[1]) - noticed) / ROLL, 0, 1)
    held = np.where(np.arange(new.shape[1]) >= noticed, new[:, noticed][:, None], new)
    return np.maximum(held - gone, 0)


def _met(placed: Placed, starts: Values, noticed: float) -> int:
    """Return how many games were played in a cell with new searchers."""
    begin = starts[placed.cells]
    end = np.where(begin < noticed, noticed + ROLL, begin)
    return int((placed.games.overlap(np.minimum(begin, 1e9), np.minimum(end, 1e9)) > 0).sum())
