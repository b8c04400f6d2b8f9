"""A move-by-move simulation of searchers under the Kubernetes autoscaler during a tournament.

The autoscaler is the one of infra/kubernetes, a HorizontalPodAutoscaler v2 on CPU, by its documented rules.
The depth of a search for its share of a core is measured: docs/load.json.
"""

import math
from bisect import bisect_left
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import simpy

Steps = Generator[simpy.Event]
"""A simulation process: the events it waits for, one after another."""

SEARCH, PAUSE = 0.415, 0.045
"""Seconds of a half-second move: the search, whatever its share of a core, and the pause before the next."""

PERIOD = 15.0
"""Seconds between two decisions of the autoscaler, and between two readings of the CPU usage."""

TOLERANCE = 0.1
"""The deviation from the target ratio that the autoscaler ignores."""

TOURNAMENT_START, BREAK = 60.0, 30.0
"""Seconds: the start of the first round, and the break between two rounds."""

MEAN_GAME, GAME_DEVIATION, SHORTEST_GAME = 150.0, 40.0, 20.0
"""Seconds: mean and standard deviation of the length of a game, and the shortest game."""

ROUND_SPREAD = 5.0
"""Seconds within which the games of a round start."""

SCALE_DOWN_PERIOD = 60.0
"""Seconds in which at most half of the pods are removed."""


@dataclass(frozen=True)
class Setup:
    """The parameters of a simulation. Times are in seconds; `age` is the maximum age of a connection."""

    name: str
    rounds: Sequence[int] = (120, 60, 30, 15)
    """Games in each round of the tournament. A round starts BREAK after the end of the previous one."""
    others: int = 4
    """Games outside the tournament, which last for the whole simulation."""
    cores: int = 2
    least: int = 2
    most: int = 20
    target: float = 0.7
    start: float = 20.0
    """Seconds from the request for a pod to its readiness, on a machine with capacity and the image."""
    age: float = 30.0
    gateways: int = 3
    stabilization: float = 300.0
    until: float = 1200.0
    seed: int = 1


@dataclass(eq=False)
class Pod:
    """A searcher whose searches share its cores evenly."""

    env: simpy.Environment
    cores: int
    searches: int = 0
    share: float = 0.0
    """Core seconds that one search running all the time would have received."""
    busy: float = 0.0
    """Core seconds during which the cores were busy."""
    _since: float = field(init=False)

    def __post_init__(self) -> None:
        self._since = self.env.now

    def settle(self, change: int = 0) -> None:
        """Update the sums to the current time; then change the number of searches."""
        passed, self._since = self.env.now - self._since, self.env.now
        self.busy += passed * min(self.searches, self.cores)
        self.share += passed * min(1.0, self.cores / max(self.searches, 1))
        self.searches += change


@dataclass(frozen=True, slots=True)
class Sample:
    """One move: the time of its response and the core seconds of its search."""

    at: float
    share: float


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
        """Run the whole simulation."""
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
        yield self.env.timeout(TOURNAMENT_START)
        for games in self.setup.rounds:
            yield self.env.all_of([self.env.process(self._tournament_game()) for _ in range(games)])
            yield self.env.timeout(BREAK)

    def _tournament_game(self) -> Steps:
        duration = self.random.gauss(MEAN_GAME, GAME_DEVIATION)
        return self._game(duration, self.random.uniform(0, ROUND_SPREAD))

    def _game(self, duration: float, delay: float = 0.0) -> Steps:
        yield self.env.timeout(delay)
        gateway = self.random.randrange(self.setup.gateways)
        end = self.env.now + max(duration, SHORTEST_GAME)
        self.games += 1
        while self.env.now < end:
            pod = self._next_pod(gateway)
            pod.settle(+1)
            before = pod.share
            yield self.env.timeout(SEARCH)
            pod.settle(-1)
            self.moves.append(Sample(self.env.now, pod.share - before))
            yield self.env.timeout(PAUSE * self.random.uniform(0.5, 1.5))
        self.games -= 1

    def _next_pod(self, gateway: int) -> Pod:
        """Return the next pod, round robin over the pods that this gateway knows."""
        self.turn[gateway] += 1
        known = self.known[gateway]
        return known[self.turn[gateway] % len(known)]

    def _reconnect(self, gateway: int) -> Steps:
        """Resolve the name again whenever a connection ends, which finds all ready pods."""
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
                # A removed pod closes all its connections, so their gateways resolve the name again.
                if pod in known:
                    self.known[gateway] = list(self.ready)

    def _autoscale(self) -> Steps:
        """Request, every PERIOD, as many pods as would be busy to the target, within the policies."""
        requests: list[tuple[float, int]] = []
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
            desired = desired_pods(usage, count, self.setup.target)
            desired = min(max(desired, self.setup.least), self.setup.most)
            requests.append((self.env.now, desired))
            self._scale(count, desired, requests)

    def _scale(self, count: int, desired: int, requests: list[tuple[float, int]]) -> None:
        if desired > count:
            # The scale-up policy: at most twice as many, or four more, in a period.
            for _ in range(min(desired, max(2 * count, count + 4)) - count):
                self.env.process(self._start_pod())
        # The scale-down policy: the largest recent request counts, and at most half of the pods go in a
        # minute.
        recent = max(pods for at, pods in requests if at > self.env.now - self.setup.stabilization)
        is_due = self.env.now - self._last_removal >= SCALE_DOWN_PERIOD
        if recent < count and is_due and not self.starting:
            self._last_removal = self.env.now
            self._remove(count - max(recent, math.ceil(count / 2)))

    def _watch(self) -> Steps:
        while True:
            working = sum(pod.searches > 0 for pod in self.ready)
            pods = len(self.ready) + self.starting
            self.states.append(State(self.env.now, self.games, pods, len(self.ready), working))
            self.core_seconds += pods * self.setup.cores
            yield self.env.timeout(1)


def desired_pods(usage: Sequence[float], count: int, target: float) -> int:
    """Return the number of pods to request, given `count` pods and the usage of the measured ones.

    When scaling up, pods without a reading count as idle, so that the autoscaler doesn't overshoot.
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
    """Return the depth of a search with `share` core seconds, interpolated over the logarithm of the time."""
    points: list[tuple[float, float]] = sorted(
        (each["searcher cores"] / each["moves/s"], each[f"depth {kind}"]) for each in measured
    )
    times = [math.log2(time) for time, _ in points]
    at = min(max(math.log2(max(share, 1e-4)), times[0]), times[-1])
    right = max(bisect_left(times, at), 1)
    (_, low), (_, high) = points[right - 1], points[right]
    part = (at - times[right - 1]) / (times[right] - times[right - 1])
    return low + part * (high - low)
