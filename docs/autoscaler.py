"""A simulation of searchers under Kubernetes' autoscaler while a tournament is played, move by move.

The autoscaler is that of infra/kubernetes, HorizontalPodAutoscaler v2 on CPU, by its documented rules.
How deep a search gets with how much of a core is measured: docs/load.json.
"""

import math
from bisect import bisect_left
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import simpy

Steps = Generator[simpy.Event]
"""What a process waits for, one after another."""

SEARCH, PAUSE = 0.415, 0.045
"""Seconds of a move of half a second: the search, whatever its share of a core, and the way to it."""

PERIOD = 15.0
"""Seconds between two looks of the autoscaler, and between two readings of how busy pods are."""

TOLERANCE = 0.1
"""How far from its target a ratio may be without anything being done."""


@dataclass(frozen=True)
class Setup:
    """What is simulated. Times are in seconds; `age` is how long connections last, infinite for no end."""

    name: str
    rounds: Sequence[int] = (120, 60, 30, 15)
    """Games of each of the tournament's rounds; half a minute after all of one have ended comes the next."""
    others: int = 4
    """Games that are always there."""
    cores: int = 2
    least: int = 2
    most: int = 20
    target: float = 0.7
    start: float = 20.0
    """From the wish for a pod to a pod that is ready, on a machine that has room and the image."""
    age: float = 30.0
    gateways: int = 3
    stabilization: float = 300.0
    until: float = 1200.0
    seed: int = 1


@dataclass(eq=False)
class Pod:
    """A searcher: its searches share its cores evenly."""

    env: simpy.Environment
    cores: int
    searches: int = 0
    share: float = 0.0
    """What a search that ran all the time would have had of a core, in seconds."""
    busy: float = 0.0
    """Seconds that its cores were busy, all together."""
    _since: float = field(init=False)

    def __post_init__(self) -> None:
        self._since = self.env.now

    def settle(self, change: int = 0) -> None:
        """Bring the sums up to now; then so many searches begin or end."""
        passed, self._since = self.env.now - self._since, self.env.now
        self.busy += passed * min(self.searches, self.cores)
        self.share += passed * min(1.0, self.cores / max(self.searches, 1))
        self.searches += change


@dataclass(frozen=True, slots=True)
class Sample:
    """One move: when it was answered, and how many seconds of a core its search had."""

    at: float
    share: float


@dataclass(frozen=True, slots=True)
class State:
    """The cluster at a moment."""

    at: float
    games: int
    wanted: int
    ready: int
    working: int
    """Pods that search."""


class Cluster:
    """Pods, the gateways that know some of them, the autoscaler, and the games."""

    def __init__(self, setup: Setup) -> None:
        self.setup, self.env, self.random = setup, simpy.Environment(), Random(setup.seed)
        self.ready = [self._pod() for _ in range(setup.least)]
        self.starting = 0
        self.known = [list(self.ready) for _ in range(setup.gateways)]
        self.turn = [0] * setup.gateways
        self.games = 0
        self.moves: list[Sample] = []
        self.states: list[State] = []
        self.core_seconds = 0.0
        self._last_removal = -math.inf

    def run(self) -> None:
        """Simulate all of it."""
        for number in range(self.setup.gateways):
            self.env.process(self._reconnect(number))
        self.env.process(self._tournament())
        self.env.process(self._autoscale())
        self.env.process(self._watch())
        for _ in range(self.setup.others):
            self.env.process(self._game(math.inf))
        self.env.run(self.setup.until)

    def _pod(self) -> Pod:
        return Pod(self.env, self.setup.cores)

    def _tournament(self) -> Steps:
        yield self.env.timeout(60)
        for games in self.setup.rounds:
            # Engines start the games of a round within seconds.
            played = [
                self.env.process(self._game(self.random.gauss(150, 40), self.random.uniform(0, 5)))
                for _ in range(games)
            ]
            yield self.env.all_of(played)
            yield self.env.timeout(30)

    def _game(self, lasts: float, delay: float = 0.0) -> Steps:
        yield self.env.timeout(delay)
        gateway = self.random.randrange(self.setup.gateways)
        end = self.env.now + max(lasts, 20.0)
        self.games += 1
        while self.env.now < end:
            pod = self._next(gateway)
            pod.settle(+1)
            before = pod.share
            yield self.env.timeout(SEARCH)
            pod.settle(-1)
            self.moves.append(Sample(self.env.now, pod.share - before))
            yield self.env.timeout(PAUSE * self.random.uniform(0.5, 1.5))
        self.games -= 1

    def _next(self, gateway: int) -> Pod:
        """Round robin over the pods that this gateway knows."""
        self.turn[gateway] += 1
        known = self.known[gateway]
        return known[self.turn[gateway] % len(known)]

    def _reconnect(self, gateway: int) -> Steps:
        """A connection that ends has the name looked up again, and so all ready pods found."""
        while self.setup.age < math.inf:
            pause = self.setup.age / len(self.known[gateway])
            yield self.env.timeout(pause * self.random.uniform(0.9, 1.1))
            self.known[gateway] = list(self.ready)

    def _start_pod(self) -> Steps:
        self.starting += 1
        yield self.env.timeout(self.setup.start)
        self.starting -= 1
        self.ready.append(self._pod())

    def _remove(self, count: int) -> None:
        for pod in self.ready[len(self.ready) - count :]:
            self.ready.remove(pod)
            for gateway, known in enumerate(self.known):
                # It says goodbye on every connection.
                if pod in known:
                    self.known[gateway] = list(self.ready)

    def _autoscale(self) -> Steps:
        """A look every PERIOD: wants as many pods as would be busy to the target, within the policies."""
        wishes: list[tuple[float, int]] = []
        busy = {pod: 0.0 for pod in self.ready}
        while True:
            yield self.env.timeout(PERIOD)
            usage = []
            for pod in self.ready:
                pod.settle()
                if pod in busy:
                    usage.append((pod.busy - busy[pod]) / (PERIOD * self.setup.cores))
            busy = {pod: pod.busy for pod in self.ready}
            count = len(self.ready) + self.starting
            wished = wanted(usage, count, self.setup.target)
            wished = min(max(wished, self.setup.least), self.setup.most)
            wishes.append((self.env.now, wished))
            self._scale(count, wished, wishes)

    def _scale(self, count: int, wished: int, wishes: list[tuple[float, int]]) -> None:
        if wished > count:
            # At most double, or four more, in a period.
            for _ in range(min(wished, max(2 * count, count + 4)) - count):
                self.env.process(self._start_pod())
        # The largest wish of the last minutes holds; down by at most a half in a minute.
        recent = max(wish for at, wish in wishes if at > self.env.now - self.setup.stabilization)
        if recent < count and self.env.now - self._last_removal >= 60 and not self.starting:
            self._last_removal = self.env.now
            self._remove(count - max(recent, math.ceil(count / 2)))

    def _watch(self) -> Steps:
        while True:
            working = sum(pod.searches > 0 for pod in self.ready)
            pods = len(self.ready) + self.starting
            self.states.append(State(self.env.now, self.games, pods, len(self.ready), working))
            self.core_seconds += pods * self.setup.cores
            yield self.env.timeout(1)


def wanted(usage: Sequence[float], count: int, target: float) -> int:
    """How many pods the autoscaler wants of `count`, of which these were busy so much.

    Pods without a reading yet count as idle where more are wanted, so that it doesn't overshoot.
    """
    if not usage:
        return count
    ratio = sum(usage) / len(usage) / target
    if abs(ratio - 1) <= TOLERANCE:
        return count
    if ratio > 1 and len(usage) < count:
        ratio = sum(usage) / count / target
        return math.ceil(ratio * count) if ratio > 1 + TOLERANCE else count
    return math.ceil(ratio * len(usage))


def depth_of(share: float, measured: Sequence[dict[str, Any]], kind: str) -> float:
    """The depth of a search with so many seconds of a core: between those measured, by doublings."""
    points: list[tuple[float, float]] = sorted(
        (each["searcher cores"] / each["moves/s"], each[f"depth {kind}"]) for each in measured
    )
    times = [math.log2(time) for time, _ in points]
    at = min(max(math.log2(max(share, 1e-4)), times[0]), times[-1])
    right = max(bisect_left(times, at), 1)
    (_, low), (_, high) = points[right - 1], points[right]
    part = (at - times[right - 1]) / (times[right] - times[right - 1])
    return low + part * (high - low)
