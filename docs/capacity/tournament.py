"""A simulation with simpy, move by move: gateways, searchers that share cores, an autoscaler, and games."""

import math
from collections.abc import Generator, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np
import simpy
from numpy.typing import NDArray

from docs.capacity.autoscaler import SYNC, Autoscaler, Plan, Signal, Zero
from docs.capacity.load import LEAST_SHARE, PAUSE, SEARCH, Depths

Steps = Generator[simpy.Event]
"""A simulation process: the events it waits for, one after another."""

MEAN_GAME, GAME_DEVIATION, SHORTEST_GAME = 150.0, 40.0, 20.0
"""Seconds: mean and standard deviation of the length of a game, and the shortest game."""

TOURNAMENT_START, BREAK = 60.0, 30.0
"""Seconds: the start of the first round, and the break between two rounds."""

ROUNDS = (120, 60, 30, 15)
"""Games in each round of the tournament. A round starts BREAK after the end of the one before."""

ROUND_SPREAD = 5.0
"""Seconds within which the games of a round start."""

START = 6.0
"""Seconds from the request for a pod until gateways find it, on a machine with room and the image.

Some 4 s for the scheduler and the container, 0.4 s to SERVING, up to 1 s each for the probe and for the name.
"""

NEW_MACHINE = 75.0
"""Seconds for the same where a new machine has to start first."""

STEP = 2
"""Seconds from one recorded state to the next."""

RECONNECT = 1.0
"""Seconds after which a gateway without any searcher resolves the name again."""

PHASE = SYNC / 2
"""Seconds after which the autoscaler decides first.

So a burst at a whole minute waits for half a period, and a reading is half of its interval old. Both are
averages.
"""

BIN = 5
"""Seconds over which depths are averaged."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game, by the times of its start and its end."""

    at: float
    end: float


def tournament(rounds: Sequence[int] = ROUNDS, others: int = 4, seed: int = 1) -> list[Game]:
    """Return the games of a tournament, and `others` that never end."""
    random, start = Random(seed), TOURNAMENT_START
    games = [Game(0.0, math.inf) for _ in range(others)]
    for number in rounds:
        played = [_game(random, start + random.uniform(0, ROUND_SPREAD)) for _ in range(number)]
        start = max(game.end for game in played) + BREAK
        games += played
    return games


def one_after_another(mean_gap: float, until: float, seed: int = 1) -> Iterator[Game]:
    """Yield games that begin at random, `mean_gap` seconds after each other on average."""
    random = Random(seed)
    at = random.expovariate(1 / mean_gap)
    while at < until:
        yield _game(random, at)
        at += random.expovariate(1 / mean_gap)


def _game(random: Random, at: float) -> Game:
    return Game(at, at + max(random.gauss(MEAN_GAME, GAME_DEVIATION), SHORTEST_GAME))


@dataclass(eq=False)
class Level:
    """A number that changes, and its sum over time."""

    env: simpy.Environment
    value: int = 0
    _sum: float = 0.0
    _since: float = 0.0

    def change(self, by: int) -> None:
        """Change the number now."""
        now = self.env.now
        self._sum += (now - self._since) * self.value
        self._since = now
        self.value += by

    @property
    def sum(self) -> float:
        """The number, summed over the seconds until now."""
        self.change(0)
        return self._sum


@dataclass(eq=False)
class Pod:
    """A searcher whose searches share its cores evenly."""

    env: simpy.Environment
    cores: int
    searches: int = 0
    share: float = 0.0
    """Core seconds that one search running all the time would have received."""
    busy: float = 0.0
    """Core seconds in which the cores were busy."""
    demand: float = 0.0
    """Seconds of all searches."""
    _since: float = field(init=False)

    def __post_init__(self) -> None:
        self._since = self.env.now

    @property
    def has_room(self) -> bool:
        """Whether one more search would get a sufficient share."""
        return self.searches < round(self.cores * SEARCH / LEAST_SHARE)

    def settle(self, change: int = 0) -> None:
        """Update the sums to the current time; then change the number of searches."""
        now, searches, cores = self.env.now, self.searches, self.cores
        passed, self._since = now - self._since, now
        if searches > cores:
            self.busy += passed * cores
            self.share += passed * cores / searches
        else:
            self.busy += passed * searches
            self.share += passed
        self.demand += passed * searches
        self.searches += change


@dataclass(frozen=True)
class Setup:
    """The parameters of a simulation. Times are in seconds; `age` is the maximum age of a connection."""

    name: str
    plan: Plan | None = None
    pods: int = 2
    """Pods at the beginning; without an autoscaler, until the end."""
    cores: int = 2
    start: float = START
    age: float = 4.0
    gateways: int = 3
    until: float = 1200.0
    seed: int = 1


@dataclass(frozen=True, slots=True)
class State:
    """The cluster at one point in time."""

    at: float
    games: int
    requested: int
    ready: int
    working: int
    """Pods with a running search."""


class Cluster:
    """The pods, the gateways with the pods that each one knows, the autoscaler and the games."""

    def __init__(self, setup: Setup, games: Sequence[Game]) -> None:
        self.setup, self.env, self._games = setup, simpy.Environment(), games
        self.ready = [Pod(self.env, setup.cores) for _ in range(setup.pods)]
        self._starting: list[object] = []
        self._known = [list(self.ready) for _ in range(setup.gateways)]
        self._turn = [0] * setup.gateways
        self._playing, self._waiting = 0, Level(self.env)
        self._paid = Level(self.env, setup.pods)
        self.moves: list[tuple[float, float]] = []
        """For each move the time of its answer, and the core seconds of its search."""
        self.states: list[State] = []

    def run(self) -> None:
        """Run the whole simulation."""
        for number in range(self.setup.gateways):
            self.env.process(self._reconnect(number))
        if plan := self.setup.plan:
            autoscaler = Autoscaler(plan, self.setup.cores)
            self.env.process(self._measure(plan, autoscaler))
            self.env.process(self._autoscale(autoscaler))
            if plan.zero:
                self.env.process(self._scale_to_zero(plan.zero, plan.bounds.least))
        for number, game in enumerate(self._games):
            self.env.process(self._game(game, Random(f"{self.setup.seed} {number}")))
        self.env.process(self._watch())
        self.env.run(self.setup.until)

    @property
    def core_seconds(self) -> float:
        """The core seconds of all pods so far, each from its request to its end."""
        return self._paid.sum * self.setup.cores

    def _game(self, game: Game, random: Random) -> Steps:
        yield self.env.timeout(game.at)
        gateway = random.randrange(self.setup.gateways)
        self._playing += 1
        while self.env.now < game.end:
            self._waiting.change(+1)
            pod = self._next_pod(gateway)
            before = pod.share if pod else 0.0
            yield self.env.timeout(SEARCH)
            if pod:
                pod.settle(-1)
            self._waiting.change(-1)
            self.moves.append((self.env.now, pod.share - before if pod else 0.0))
            yield self.env.timeout(PAUSE * random.uniform(0.5, 1.5))
        self._playing -= 1

    def _next_pod(self, gateway: int) -> Pod | None:
        """Start a search on the next pod with room, round robin over those that this gateway knows."""
        known = self._known[gateway]
        for _ in known:
            self._turn[gateway] += 1
            pod = known[self._turn[gateway] % len(known)]
            if pod.has_room:
                pod.settle(+1)
                return pod
        return None

    def _reconnect(self, gateway: int) -> Steps:
        """Resolve the name again whenever a connection ends: that finds all ready pods."""
        random = Random(f"{self.setup.seed} gateway {gateway}")
        while True:
            known = self._known[gateway]
            pause = self.setup.age / len(known) if known else RECONNECT
            if pause == math.inf:
                return
            yield self.env.timeout(pause * random.uniform(0.9, 1.1))
            self._known[gateway] = list(self.ready)

    def _request(self, count: int) -> None:
        """Add pods, or remove them, until so many are ready or starting."""
        change = count - self._paid.value
        self._paid.change(change)
        for _ in range(change):
            self.env.process(self._start_pod())
        for _ in range(-change):
            if self._starting:
                self._starting.pop()
            else:
                self._remove(self.ready[-1])

    def _start_pod(self) -> Steps:
        ticket = object()
        self._starting.append(ticket)
        yield self.env.timeout(self.setup.start)
        if ticket in self._starting:
            self._starting.remove(ticket)
            self.ready.append(Pod(self.env, self.setup.cores))

    def _remove(self, pod: Pod) -> None:
        self.ready.remove(pod)
        for gateway, known in enumerate(self._known):
            # A removed pod closes all its connections, so their gateways resolve the name again.
            if pod in known:
                self._known[gateway] = list(self.ready)

    def _measure(self, plan: Plan, autoscaler: Autoscaler) -> Steps:
        while True:
            yield self.env.timeout(plan.interval)
            for pod in self.ready:
                pod.settle()
            values: dict[Hashable, float] = {None: self._waiting.sum}
            if plan.signal is Signal.CPU:
                values = {pod: pod.busy / pod.cores for pod in self.ready}
            elif plan.signal is Signal.OCCUPANCY:
                values = {pod: pod.demand / pod.cores for pod in self.ready}
            autoscaler.counters.read(self.env.now, values)

    def _autoscale(self, autoscaler: Autoscaler) -> Steps:
        yield self.env.timeout(PHASE)
        while True:
            # Without pods, KEDA decides.
            if self._paid.value:
                self._request(autoscaler.decide(self.env.now, self.ready, len(self._starting)))
            yield self.env.timeout(SYNC)

    def _scale_to_zero(self, zero: Zero, least: int) -> Steps:
        """Start pods soon after the first game, and remove all of them long after the last game."""
        last_active = -math.inf
        # As for PHASE, a burst waits for half a period.
        yield self.env.timeout(zero.polling / 2)
        while True:
            yield self.env.timeout(zero.polling)
            if self._playing:
                last_active = self.env.now
                if not self._paid.value:
                    self._request(least)
            elif self._paid.value and self.env.now - last_active > zero.cooldown:
                self._request(0)

    def _watch(self) -> Steps:
        while True:
            working = sum(pod.searches > 0 for pod in self.ready)
            ready, requested = len(self.ready), self._paid.value
            self.states.append(State(self.env.now, self._playing, requested, ready, working))
            yield self.env.timeout(STEP)


@dataclass(frozen=True)
class Outcome:
    """A cluster after its simulation: when each move was answered, its core seconds, and its depth."""

    cluster: Cluster
    at: NDArray[np.float64]
    shares: NDArray[np.float64]
    depths: NDArray[np.float64]

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


def simulate(setup: Setup, games: Sequence[Game], depths: Depths) -> Outcome:
    """Return the outcome of some games on a cluster."""
    cluster = Cluster(setup, games)
    cluster.run()
    at, shares = np.array(cluster.moves, dtype=np.float64).reshape(-1, 2).T
    return Outcome(cluster, at, shares, depths.of(shares))
