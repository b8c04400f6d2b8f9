"""Gateways, searchers, an autoscaler and games, move by move."""

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from random import Random

import simpy

from docs.capacity.measured import PAUSE, SEARCH
from docs.capacity.scaling.autoscaler import Autoscaler, Plan, Zero
from docs.capacity.scaling.replicas import SYNC
from docs.capacity.tournament.games import Game
from docs.capacity.tournament.pod import Level, Pod

Steps = Generator[simpy.Event]
"""A simulation process: the events it waits for, one after another."""

START = 6.0
"""Seconds from the request for a pod until gateways find it, on a machine with room and the image.

Some 4 s for the scheduler and the container, 0.4 s to SERVING, up to 1 s each for the probe and for the name.
"""

NEW_MACHINE = 75.0
"""Seconds for the same where a new machine has to start first."""

CONNECTION_AGE = 4.0
"""Seconds after which a searcher ends a connection."""

STEP = 2
"""Seconds from one recorded state to the next."""

RECONNECT = 1.0
"""Seconds after which a gateway without any searcher resolves the name again."""

PHASE = SYNC / 2
"""Seconds after which the autoscaler decides first.

So a burst at a whole minute waits for half a period, and a reading is half of its interval old: both as on
average.
"""


@dataclass(frozen=True)
class Setup:
    """The parameters of a simulation. Times are in seconds; `age` is the maximum age of a connection."""

    name: str
    plan: Plan | None = None
    pods: int = 2
    """Pods at the beginning; without an autoscaler, until the end."""
    cores: int = 2
    start: float = START
    age: float = CONNECTION_AGE
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
        self.ready = [self._pod() for _ in range(setup.pods)]
        self._starting: list[object] = []
        self._known = [list(self.ready) for _ in range(setup.gateways)]
        self._turn = [0] * setup.gateways
        self._playing, self._waiting = Level(self.env), Level(self.env)
        self._paid = Level(self.env, setup.pods)
        self.moves: list[tuple[float, float]] = []
        """For each move the time of its answer, and the core seconds of its search."""
        self.states: list[State] = []

    def run(self) -> None:
        """Run the whole simulation."""
        for number in range(self.setup.gateways):
            self.env.process(self._reconnect(number))
        if self.setup.plan:
            autoscaler = Autoscaler(self.setup.plan, self.setup.cores)
            self.env.process(self._measure(autoscaler))
            self.env.process(self._autoscale(autoscaler))
            if self.setup.plan.zero:
                self.env.process(self._scale_to_zero(self.setup.plan.zero, self.setup.plan.bounds.least))
        for number, game in enumerate(self._games):
            self.env.process(self._game(game, Random(f"{self.setup.seed} {number}")))
        self.env.process(self._watch())
        self.env.run(self.setup.until)

    @property
    def requested(self) -> int:
        """The pods that are ready or starting."""
        return self._paid.value

    @property
    def core_seconds(self) -> float:
        """The core seconds of all pods so far, each from its request to its end."""
        return self._paid.sum * self.setup.cores

    def _pod(self) -> Pod:
        return Pod(self.env, self.setup.cores)

    def _game(self, game: Game, random: Random) -> Steps:
        yield self.env.timeout(game.at)
        gateway = random.randrange(self.setup.gateways)
        self._playing.change(+1)
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
        self._playing.change(-1)

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
        """Resolve the name again whenever a connection ends, which finds all ready pods."""
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
        change = count - self.requested
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
            self.ready.append(self._pod())

    def _remove(self, pod: Pod) -> None:
        self.ready.remove(pod)
        for gateway, known in enumerate(self._known):
            # A removed pod closes all its connections, so their gateways resolve the name again.
            if pod in known:
                self._known[gateway] = list(self.ready)

    def _measure(self, autoscaler: Autoscaler) -> Steps:
        while True:
            yield self.env.timeout(autoscaler.plan.interval)
            for pod in self.ready:
                pod.settle()
            autoscaler.read(self.env.now, self.ready, self._waiting.sum)

    def _autoscale(self, autoscaler: Autoscaler) -> Steps:
        yield self.env.timeout(PHASE)
        while True:
            # Without pods, KEDA decides.
            if self.requested:
                self._request(autoscaler.decide(self.env.now, self.ready, len(self._starting)))
            yield self.env.timeout(SYNC)

    def _scale_to_zero(self, zero: Zero, least: int) -> Steps:
        """Start pods a second after the first game, and remove all of them long after the last game."""
        last_game = last_active = -math.inf
        while True:
            yield self.env.timeout(1)
            now = self.env.now
            last_game = now if self._playing.value else last_game
            is_active = now - last_game < zero.quiet
            if is_active and not self.requested:
                self._request(least)
            if now % zero.polling == 0:
                last_active = now if is_active else last_active
                if self.requested and not is_active and now - last_active > zero.cooldown:
                    self._request(0)

    def _watch(self) -> Steps:
        while True:
            working = sum(pod.searches > 0 for pod in self.ready)
            state = State(self.env.now, self._playing.value, self.requested, len(self.ready), working)
            self.states.append(state)
            yield self.env.timeout(STEP)
