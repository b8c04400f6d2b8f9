"""A cell fails: what becomes of its games, and how deeply the others search."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from docs.capacity.cells.games import Epoch, Games, counts, steady
from docs.capacity.cells.routing import Keys, cell_keys, route
from docs.capacity.cells.searchers import BOUNDS, MOVES_A_SECOND, Values, ready_pods, shares
from docs.capacity.measured import Depths

UNANSWERED = 1 / (0.5 + 0.045)
"""Moves a second of a game without answers: its engine waits for half a second each time."""

SIDE = 11
"""Cells of a board's side. A snake whose engine gets no answer goes straight on, at most to the wall."""

FAILED = 0
"""The cell that fails."""


@dataclass(frozen=True)
class Failure:
    """A cell is out of reach from `fails` to `back`, and its games go elsewhere `failover` seconds later.

    It comes back with as many pods as it had, or with the least. `target` is the searches for each core.
    """

    cells: int = 20
    games_a_cell: int = 400
    failover: int = 3
    fails: int = 180
    back: int = 540
    until: int = 780
    target: float = 2.0
    keeps_pods: bool = True
    seed: int = 1


@dataclass(frozen=True)
class Failed:
    """What a failure did. Arrays have a row for each cell, and a column for each second."""

    failure: Failure
    moved: float
    """The share of the games whose cell changed when one was missing."""
    moved_by_modulo: float
    """The same, if the cell were the remainder of the key's division by the number of cells."""
    lost_moves: int
    lost_games: int
    cell_games: int
    """The games of the cell when it failed."""
    games: Values
    ready: Values
    depths: Values

    def others(self) -> Values:
        """Return the mean depth of the other cells in each second."""
        rest = np.arange(len(self.games)) != FAILED
        return np.average(self.depths[rest], axis=0, weights=self.games[rest])


def simulate_failure(failure: Failure, depths: Depths) -> Failed:
    """Return what becomes of games and depths when a cell fails."""
    cells = cell_keys(failure.cells)
    begun = steady(failure.cells * failure.games_a_cell, failure.until, failure.seed)
    home, refuge = _routes(begun.keys, cells)
    games, lost_moves, lost = _without_answers(begun, home == FAILED, failure)
    nowhere = np.where(home == FAILED, -1, home)
    switch = failure.fails + failure.failover
    epochs = [Epoch(0, home), Epoch(failure.fails, nowhere), Epoch(switch, refuge), Epoch(failure.back, home)]
    played = counts(games, epochs, failure.cells, failure.until)
    ready = np.array([_pods(row, number, failure) for number, row in enumerate(played)])
    return Failed(
        failure,
        float((home != refuge).mean()),
        float((games.keys % np.uint64(failure.cells) != games.keys % np.uint64(failure.cells - 1)).mean()),
        lost_moves,
        lost,
        int(played[FAILED, failure.fails - 1]),
        played,
        ready,
        depths.of(shares(played, ready)),
    )


def _routes(games: Keys, cells: Keys) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the cells of games with all cells, and without the one that fails."""
    home = route(games, cells)
    refuge, moved = home.copy(), home == FAILED
    refuge[moved] = route(games[moved], cells, np.arange(len(cells)) != FAILED)
    return home, refuge


def _without_answers(games: Games, of_cell: NDArray[np.bool_], failure: Failure) -> tuple[Games, int, int]:
    """Return the games with their ends after lost moves, the number of these moves, and of games so lost."""
    unanswered = games.overlap(failure.fails, failure.fails + failure.failover) * of_cell
    moves = np.floor(unanswered * UNANSWERED)
    # Cells between the head and the wall ahead.
    ahead = np.random.default_rng(failure.seed).integers(0, SIDE, len(moves))
    is_lost = moves > ahead
    death = np.maximum(games.starts, failure.fails) + (ahead + 1) / UNANSWERED
    ends = np.where(is_lost, death, games.ends)
    return games.ended_at(ends), int(np.minimum(moves, ahead + 1).sum()), int(is_lost.sum())


def _pods(games: Values, cell: int, failure: Failure) -> Values:
    if cell != FAILED:
        return ready_pods(games, failure.target)
    before = ready_pods(games[: failure.fails], failure.target)
    first = int(before[-1]) if failure.keeps_pods else BOUNDS.least
    after = ready_pods(games[failure.back :], failure.target, first)
    return np.concatenate([before, np.zeros(failure.back - failure.fails), after])


def lowest(depths: Values, begin: int, end: int, span: int = 5) -> float:
    """Return the lowest mean depth of some seconds in a row between two times."""
    means = np.convolve(depths[begin:end], np.full(span, 1 / span), "valid")
    return float(means.min())


def seconds_below(depths: Values, level: float, begin: int, end: int) -> int:
    """Return for how many seconds between two times the depth is below a level."""
    return int((depths[begin:end] < level).sum())


def reflexes(failed: Failed) -> int:
    """Return how many moves of all cells are reflexes."""
    return round(float((failed.games * (failed.depths == 0)).sum() * MOVES_A_SECOND))
