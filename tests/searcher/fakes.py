"""Strategies that do nothing but honour their limits, and say what was asked of them."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from searcher.engine.position import Direction, Position
from searcher.engine.result import Limits, Outcome, OutcomeKind, Result, RootMove, StopReason
from searcher.engine.search.clock import Clock
from searcher.errors import UnavailableError
from searcher.interface import Progress

TICK = 0.001
"""Seconds between two looks at the clock."""


@dataclass(frozen=True)
class FakeStrategy:
    """A complete strategy."""

    search: str
    evaluator: str
    weights: Mapping[str, float]


@dataclass(frozen=True)
class FakeWeight:
    """A number to choose."""

    name: str
    default: float
    minimum: float
    maximum: float
    description: str = "A weight."


@dataclass(frozen=True)
class FakeSearch:
    """A name for a way of looking ahead."""

    name: str
    description: str


@dataclass(frozen=True)
class FakeEvaluator:
    """A name for a way of judging."""

    name: str
    description: str
    weights: tuple[FakeWeight, ...]


@dataclass(frozen=True)
class Run:
    """One search that ended."""

    position: Position
    limits: Limits
    begin: float
    end: float
    stop_reason: StopReason


@dataclass
class Record:
    """What was searched; shared by all searchers of a provider."""

    runs: list[Run] = field(default_factory=list)
    clocks: list[Clock] = field(default_factory=list)
    running: int = 0
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Counts a search while it runs."""
        with self.lock:
            self.running += 1
            self.most_at_once = max(self.most_at_once, self.running)
        try:
            yield
        finally:
            with self.lock:
                self.running -= 1


class FakeSearcher:
    """Completes a turn each `depth_seconds`.

    After the first, "broken" fails and "unready" refuses; "deaf" ends when it is stopped, however late.
    """

    def __init__(self, record: Record, depth_seconds: float) -> None:
        self._record = record
        self._depth_seconds = depth_seconds

    def search(
        self,
        position: Position,
        strategy: FakeStrategy,
        limits: Limits,
        clock: Clock,
        on_depth: Callable[[Result], None] | None = None,
    ) -> Result:
        """Sleeps, and says how deep that went."""
        with self._record.counted():
            self._record.clocks.append(clock)
            begin, result = time.monotonic(), _result(position, 0)
            while (reason := self._think(strategy, limits, result.depth, clock)) is None:
                result = _result(position, result.depth + 1)
                if on_depth is not None:
                    on_depth(result)
                if strategy.search == "unready":
                    raise UnavailableError("still compiling")
                if strategy.search == "broken":
                    raise RuntimeError("broken on purpose")
            self._record.runs.append(Run(position, limits, begin, time.monotonic(), reason))
            return replace(result, elapsed=time.monotonic() - begin, stop_reason=reason)

    def _think(self, strategy: FakeStrategy, limits: Limits, depth: int, clock: Clock) -> StopReason | None:
        """One turn deeper, or why not."""
        if limits.depth is not None and depth >= limits.depth:
            return StopReason.DEPTH
        end = time.monotonic() + self._depth_seconds
        while time.monotonic() < end:
            if clock.stopped:
                return StopReason.CANCELLED
            if time.monotonic() >= clock.deadline and strategy.search != "deaf":
                return StopReason.DEADLINE
            time.sleep(TICK)
        return None


def _result(position: Position, depth: int) -> Result:
    joint_move = tuple(Direction.UP for _ in position.snakes)
    best = RootMove(Direction.LEFT, 0.5, depth, Outcome(OutcomeKind.WIN, 3))
    return Result(
        move=Direction.LEFT,
        score=0.5,
        depth=depth,
        nodes=10 * depth,
        evaluations=5 * depth,
        table_hits=2 * depth,
        table_fill=0.25,
        elapsed=0.0,
        stop_reason=None,
        root_moves=(best,),
        principal_variation=(joint_move,) * depth,
    )


class FakeStrategies:
    """A provider with two searches and two evaluators."""

    SEARCHES: Mapping[str, FakeSearch] = {
        "steady": FakeSearch("steady", "Honours its limits."),
        "broken": FakeSearch("broken", "Fails."),
    }
    EVALUATORS: Mapping[str, FakeEvaluator] = {
        "plain": FakeEvaluator("plain", "Has no weights.", ()),
        "weighed": FakeEvaluator(
            "weighed", "Has two.", (FakeWeight("space", 1.0, 0.0, 10.0), FakeWeight("food", 0.5, -1.0, 1.0))
        ),
    }
    DEFAULT = FakeStrategy("steady", "weighed", {"space": 1.0, "food": 0.5})

    def __init__(self, depth_seconds: float = 0.02) -> None:
        self.record = Record()
        self.depth_seconds = depth_seconds

    def strategy_of(self, search: str, evaluator: str, weights: Mapping[str, float]) -> FakeStrategy:
        """A strategy with all its weights."""
        defaults = {weight.name: weight.default for weight in self.EVALUATORS[evaluator].weights}
        return FakeStrategy(search, evaluator, {**defaults, **weights})

    def Searcher(self) -> FakeSearcher:
        """A searcher for one thread."""
        return FakeSearcher(self.record, self.depth_seconds)


def warm(progress: Progress) -> None:
    """Has nothing to do, in two parts."""
    progress("one", 1, 2)
    progress("two", 2, 2)
