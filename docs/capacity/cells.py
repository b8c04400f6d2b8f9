"""A simulation of many cells: each has gateways, searchers, an autoscaler and a database of its own.

Games begin and end one by one, and each is played in one cell. The depth of its moves follows, second by
second, from the games and the pods of the cell. A test compares that with the simulation move by move.

A game's cell follows from rendezvous hashing (Thaler and Ravishankar, 1998): every pair of a game and a cell
has a weight, and the cell with the largest weight plays the game. So a cell that fails moves its own games
alone, and they spread over all other cells. When it is back, it gets the same games again.

A new evaluator goes from cell to cell. The searchers of a cell are replaced by a rolling update, a quarter of
them at a time, so that no searcher is missing. Since gateways spread moves over all searchers of their cell,
all its games meet the new evaluator from the first replaced searcher on.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from math import ceil

import numpy as np
from numpy.typing import NDArray

from docs.capacity.autoscaler import SYNC, Bounds, Policy, Replicas, by_total
from docs.capacity.load import MOVE, SEARCH, Depths
from docs.capacity.tournament import GAME_DEVIATION, MEAN_GAME, PHASE, SHORTEST_GAME, START

CORES = 2
"""Cores of a pod."""

TARGET = 2.0
"""Searches for each core that a cell's autoscaler keeps."""

MOVES_A_SECOND = 1 / MOVE
"""Moves of a game."""

SEARCHES_A_GAME = SEARCH * MOVES_A_SECOND
"""Searches of a game at once, on average."""

BOUNDS = Bounds(2, 400, up=Policy(15, pods=20, percent=100), window=120)

AVERAGED = 5
"""Seconds over which the scaler averages searches."""

UNANSWERED = 1 / (0.5 + 0.045)
"""Moves a second of a game without answers: its engine waits for half a second each time."""

SIDE = 11
"""Cells of a board's side. A snake without an answer moves straight on, at most to the wall."""

FAILED = 0
"""The cell that fails."""

ROLL = 4 * (START + 2)
"""Seconds to replace a cell's searchers, in four parts: new ones have to start, and old ones to end."""

LONGEST_GAME = 310.0
"""Seconds after which no game is left in a cell that gets no new ones."""

CHECK, WINDOW = 15, 60
"""Seconds: how often the rules of a rollout are evaluated, and the time over which they average."""

DROP = 1.0
"""Turns by which new searchers may search less deeply than the others, or than before the rollout."""

CRASHES = 3
"""Ends of searchers in a minute that stop a rollout."""

Keys = NDArray[np.uint64]
Indices = NDArray[np.int64]
Values = NDArray[np.float64]
"""One value for each second, for each game, or for each cell and second."""


def key(name: str) -> int:
    """Return the key of a game's id or a cell's name: 64 bits that look random."""
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest())


def cell_keys(count: int) -> Keys:
    """Return the keys of so many cells."""
    return np.array([key(f"cell-{number}") for number in range(count)], dtype=np.uint64)


def route(games: Keys, cells: Keys, is_up: NDArray[np.bool_] | None = None) -> Indices:
    """Return the index of each game's cell, among those that are up; all, by default."""
    up = np.arange(len(cells)) if is_up is None else np.flatnonzero(is_up)
    best: Indices = up[_mixed(games[:, None] ^ cells[up][None, :]).argmax(axis=1)]
    return best


def _mixed(values: Keys) -> Keys:
    """Return other values that look random, each input's own: the end of the generator splitmix64."""
    mixed = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


@dataclass(frozen=True)
class Games:
    """Games by the keys of their ids and the seconds of their start and end."""

    keys: Keys
    starts: Values
    ends: Values

    def overlap(self, begin: float | Values, end: float | Values) -> Values:
        """Return for how many seconds each game is played between two times."""
        played: Values = np.minimum(self.ends, end) - np.maximum(self.starts, begin)
        return played.clip(0)


def steady(at_once: int, until: float, seed: int = 1) -> Games:
    """Return games that begin at random, of which about `at_once` are played at any time until `until`."""
    random = np.random.default_rng(seed)
    lead = MEAN_GAME + 4 * GAME_DEVIATION
    count = round(at_once * (until + lead) / MEAN_GAME)
    starts = random.uniform(-lead, until, count)
    lengths = np.maximum(random.normal(MEAN_GAME, GAME_DEVIATION, count), SHORTEST_GAME)
    return Games(random.integers(0, 1 << 64, count, dtype=np.uint64), starts, starts + lengths)


Epoch = tuple[float, Indices]
"""A time from which games are played in these cells, by their indices; -1 is nowhere."""


def counts(games: Games, epochs: Sequence[Epoch], cells: int, until: int) -> Values:
    """Return how many games each cell has in each second: an array of cells and seconds."""
    changes = np.zeros((cells, until + 1))
    ends = [begin for begin, _ in epochs[1:]] + [float(until)]
    for (begin, places), end in zip(epochs, ends, strict=True):
        starts = np.ceil(np.maximum(games.starts, begin)).astype(int)
        stops = np.ceil(np.minimum(games.ends, end)).astype(int)
        played = (stops > starts) & (places >= 0)
        np.add.at(changes, (places[played], starts[played]), 1)
        np.add.at(changes, (places[played], stops[played]), -1)
    return changes.cumsum(axis=1)[:, :until]


def ready_pods(games: Values, target: float = TARGET, first: int | None = None) -> Values:
    """Return the ready pods of a cell in each second, of which an autoscaler keeps as many as its games need.

    `target` is the searches for each core. The cell begins with `first` pods; by default with the pods that
    its first games need.
    """
    searches = games * SEARCHES_A_GAME
    needed = max(ceil(searches[:1].sum() / (target * CORES)), BOUNDS.least)
    count = needed if first is None else first
    ready, replicas = np.full(len(games), float(count)), Replicas(BOUNDS)
    for now in range(ceil(PHASE), len(games), int(SYNC)):
        total = float(searches[max(0, now - AVERAGED) : now].mean())
        decided = replicas.decide(now, count, by_total(total, target * CORES, count))
        delay = round(START) if decided > count else 0
        ready[now + delay :] = decided
        count = decided
    return ready


def shares(games: Values, ready: Values) -> Values:
    """Return the core seconds of a search where all pods have as many searches; 0 where there is no pod."""
    searches = np.maximum(games * SEARCHES_A_GAME, 1e-9)
    return SEARCH * np.minimum(1.0, ready * CORES / searches)


@dataclass(frozen=True)
class Failure:
    """A cell is out of reach from `fails` to `back`, and its games go elsewhere `failover` seconds later.

    It comes back with as many pods as it had, or with the least.
    """

    cells: int = 20
    games_a_cell: int = 400
    failover: int = 3
    fails: int = 180
    back: int = 540
    until: int = 780
    keeps_pods: bool = True
    seed: int = 1


@dataclass(frozen=True)
class Failed:
    """The effects of a failure. Arrays have a row for each cell, and a column for each second."""

    failure: Failure
    moved: float
    """The share of the games whose cell changed when one was missing."""
    moved_by_modulo: float
    """The same, if the cell were the remainder of the key's division by the number of cells."""
    lost_moves: int
    lost_games: int
    games: Values
    ready: Values
    depths: Values

    def others(self) -> Values:
        """Return the mean depth of the other cells in each second."""
        return np.average(self.depths[1:], axis=0, weights=self.games[1:])


def simulate_failure(failure: Failure, depths: Depths) -> Failed:
    """Return the games and depths around the failure of a cell."""
    cells = failure.cells
    begun = steady(cells * failure.games_a_cell, failure.until, failure.seed)
    home = route(begun.keys, cell_keys(cells))
    refuge, is_moved = home.copy(), home == FAILED
    refuge[is_moved] = route(begun.keys[is_moved], cell_keys(cells), np.arange(cells) != FAILED)
    games, lost_moves, lost_games = _without_answers(begun, is_moved, failure)
    nowhere = np.where(is_moved, -1, home)
    switch = failure.fails + failure.failover
    epochs = [(0, home), (failure.fails, nowhere), (switch, refuge), (failure.back, home)]
    played = counts(games, epochs, cells, failure.until)
    ready = np.array([ready_pods(row) for row in played])
    ready[FAILED] = _pods_of_failed(played[FAILED], failure)
    by_modulo = games.keys % np.uint64(cells) != games.keys % np.uint64(cells - 1)
    moved = float(is_moved.mean()), float(by_modulo.mean())
    return Failed(failure, *moved, lost_moves, lost_games, played, ready, depths.of(shares(played, ready)))


def _without_answers(games: Games, of_cell: NDArray[np.bool_], failure: Failure) -> tuple[Games, int, int]:
    """Return the games with their ends after lost moves, the number of these moves, and of games so lost."""
    unanswered = games.overlap(failure.fails, failure.fails + failure.failover) * of_cell
    moves = np.floor(unanswered * UNANSWERED)
    # Cells between the head and the wall ahead.
    ahead = np.random.default_rng(failure.seed).integers(0, SIDE, len(moves))
    is_lost = moves > ahead
    death = np.maximum(games.starts, failure.fails) + (ahead + 1) / UNANSWERED
    ends = np.where(is_lost, death, games.ends)
    return replace(games, ends=ends), int(np.minimum(moves, ahead + 1).sum()), int(is_lost.sum())


def _pods_of_failed(games: Values, failure: Failure) -> Values:
    before = ready_pods(games[: failure.fails])
    first = int(before[-1]) if failure.keeps_pods else BOUNDS.least
    after = ready_pods(games[failure.back :], first=first)
    return np.concatenate([before, np.zeros(failure.back - failure.fails), after])


def lowest(depths: Values, begin: int, end: int, span: int = 5) -> float:
    """Return the lowest mean depth of some seconds in a row between two times."""
    means = np.convolve(depths[begin:end], np.full(span, 1 / span), "valid")
    return float(means.min())


def reflexes(failed: Failed) -> int:
    """Return how many moves of all cells are reflexes."""
    return round(float((failed.games * (failed.depths == 0)).sum() * MOVES_A_SECOND))


@dataclass(frozen=True)
class Rollout:
    """The second from which each cell is replaced; it gets no new games for `drain` seconds before."""

    name: str
    starts: Values
    drain: float = 0.0

    @property
    def end(self) -> float:
        """The second at which all cells have the new evaluator."""
        return float(self.starts.max()) + ROLL


def at_once(cells: int, begin: float) -> Rollout:
    """Return a rollout of all cells at the same time."""
    return Rollout("all cells at once", np.full(cells, begin))


def canary_then_all(cells: int, begin: float, soak: float = 300) -> Rollout:
    """Return a rollout of one cell, and of all others after `soak` seconds."""
    return Rollout("one cell, then all", begin + np.where(np.arange(cells) > 0, ROLL + soak, 0.0))


def doubling(cells: int, begin: float, soak: float = 120) -> Rollout:
    """Return a rollout of 1, 1, 2, 4, 8 ... cells, with `soak` seconds after each wave."""
    starts = [begin + cell.bit_length() * (ROLL + soak) for cell in range(cells)]
    return Rollout("1, 1, 2, 4, 8 ... cells", np.array(starts))


def drained(cells: int, begin: float, size: int = 2) -> Rollout:
    """Return a rollout of `size` cells at a time, after the end of their games."""
    starts = np.array([begin + LONGEST_GAME + cell // size * (LONGEST_GAME + ROLL) for cell in range(cells)])
    return Rollout("two cells at a time, empty", starts, LONGEST_GAME)


@dataclass(frozen=True)
class Placed:
    """The games of a rollout and their cells."""

    games: Games
    cells: Indices


def place(rollout: Rollout, games_a_cell: int, seed: int = 1) -> Placed:
    """Return games until the end of a rollout; a new game avoids the cells that are drained at its start."""
    cells = len(rollout.starts)
    games = steady(cells * games_a_cell, rollout.end + 300, seed)
    home = route(games.keys, cell_keys(cells))
    for at in np.unique(rollout.starts) if rollout.drain else ():
        is_up = rollout.starts != at
        moved = (games.starts >= at - rollout.drain) & (games.starts < at + ROLL) & ~is_up[home]
        home[moved] = route(games.keys[moved], cell_keys(cells), is_up)
    return Placed(games, home)


def met_both(rollout: Rollout, placed: Placed) -> int:
    """Return how many games met the old and the new evaluator: the games played while their cell was
    replaced.
    """
    begin = rollout.starts[placed.cells]
    return int((placed.games.overlap(begin, begin + ROLL) > 0).sum())


@dataclass(frozen=True)
class Fault:
    """The fault of an evaluator.

    `speed` is its share of the old one's, and `crash` the probability with which a search ends its searcher.
    """

    name: str
    speed: float = 1.0
    crash: float = 0.0


@dataclass(frozen=True)
class Stopped:
    """The effects of a bad evaluator until all searchers had the old one again.

    `noticed` is in seconds after the beginning; None if no check noticed it.
    """

    rollout: Rollout
    fault: Fault
    noticed: float | None
    met: int
    """Games that met it."""
    cut_short: int
    """Moves whose search ended with its searcher."""
    new: Values
    """The share of the new searchers, by cell and second."""


def simulate_fault(rollout: Rollout, fault: Fault, placed: Placed, depths: Depths) -> Stopped:
    """Return the effects of a bad evaluator in a rollout, until it is noticed and gone."""
    starts, until = rollout.starts, int(rollout.end + 300)
    begin, seconds = int(starts.min()), np.arange(until)
    games = counts(placed.games, [(0, placed.cells)], len(starts), until)
    ready = np.array([ready_pods(row) for row in games])
    if rollout.drain:
        # The autoscaler of an empty cell rests; otherwise its games would come back to two pods.
        ready = np.maximum(ready, ready[:, [0]])
    share = shares(games, ready)
    old, bad = depths.of(share), depths.of(share * fault.speed)
    new = np.clip((seconds - starts[:, None]) / ROLL, 0, 1)
    crashes = games * new * MOVES_A_SECOND * fault.crash
    cut = crashes * games * SEARCHES_A_GAME / np.maximum(ready, 1)
    untouched = games * (seconds < starts[:, None] - rollout.drain)
    noticed = _notice(begin, games * new, untouched, bad, old, crashes)
    if noticed is not None:
        new = _rolled_back(new, noticed)
        cut = cut * (new > 0) * (seconds < noticed + ROLL)
    met = _met(placed, starts, until if noticed is None else noticed)
    after = None if noticed is None else noticed - begin
    return Stopped(rollout, fault, after, met, round(float(cut.sum())), new)


def _notice(
    begin: int, new: Values, untouched: Values, bad: Values, old: Values, crashes: Values
) -> int | None:
    """Return the first check at which the last minute's metrics show a fault."""
    # A cell that empties for the rollout is no measure, because it searches more deeply than any other.
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
    return int((placed.games.overlap(begin, end) > 0).sum())
