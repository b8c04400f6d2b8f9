"""Fake strategies: their searches sleep until a limit is reached, and are recorded."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from searcher.engine.position import Direction, Position
from searcher.engine.result import Limits, Outcome, OutcomeKind, Result, RootMove, StopReason
from searcher.engine.search.clock import Clock
from searcher.engine.search.kernels import SearchKernel
from searcher.errors import UnavailableError
from searcher.interface import (
    Evaluator,
    Offer,
    PlayedTurn,
    Progress,
    Search,
    SearchAlgorithm,
    SnakeEvaluation,
    Strategy,
    Weight,
    complete_strategy,
)

TICK = 0.001
"""Seconds between two checks of the clock."""

PATIENCE = 20.0
"""Seconds, far more than a search needs to end on a busy machine."""


@dataclass(frozen=True)
class Run:
    """A search that has ended."""

    position: Position
    limits: Limits
    begin: float
    end: float
    stop_reason: StopReason


@dataclass
class Record:
    """The searches of a provider: those that ended, their clocks, and how many ran at once."""

    runs: list[Run] = field(default_factory=list)
    clocks: list[Clock] = field(default_factory=list)
    running: int = 0
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    async def first_run(self) -> Run:
        """Return the first search once it has ended: its caller may have been answered before that."""
        async with asyncio.timeout(PATIENCE):
            while not self.runs:
                await asyncio.sleep(TICK)
        return self.runs[0]

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count a search while it runs."""
        with self.lock:
            self.running += 1
            self.most_at_once = max(self.most_at_once, self.running)
        try:
            yield
        finally:
            with self.lock:
                self.running -= 1


class FakeSearch:
    """A search that completes a depth every `depth_seconds` of its provider, as they are then.

    After the first depth, "broken" fails and "unready" refuses. "deaf" ignores its deadline until it is
    stopped.
    """

    def __init__(self, record: Record, depth_seconds: Callable[[], float]) -> None:
        self._record = record
        self._depth_seconds = depth_seconds

    def __call__(
        self,
        position: Position,
        strategy: Strategy,
        limits: Limits,
        clock: Clock,
        on_depth: Callable[[Result], None] | None,
    ) -> Result:
        """Sleep until a limit is reached, and return a result of the depth reached."""
        self._record.clocks.append(clock)
        with self._record.counted():
            begin, result = time.monotonic(), _result(position, 0)
            while (reason := self._think(strategy, limits, result.depth, clock)) is None:
                result = _result(position, result.depth + 1)
                if result.depth == limits.depth:
                    result = replace(result, stop_reason=StopReason.DEPTH)
                if on_depth is not None:
                    on_depth(result)
                if strategy.search == "unready":
                    raise UnavailableError("still compiling")
                if strategy.search == "broken":
                    raise RuntimeError("broken on purpose")
            self._record.runs.append(Run(position, limits, begin, time.monotonic(), reason))
            return replace(result, elapsed=time.monotonic() - begin, stop_reason=reason)

    def _think(self, strategy: Strategy, limits: Limits, depth: int, clock: Clock) -> StopReason | None:
        """Sleep for one depth; return None, or the reason to stop."""
        if limits.depth is not None and depth >= limits.depth:
            return StopReason.DEPTH
        end = time.monotonic() + self._depth_seconds()
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


def _never(*_: object) -> int:
    """Raise an error; fakes need a function that is never called."""
    raise AssertionError("a fake function was called")


SEARCHES = (
    SearchAlgorithm("steady", "Honours its limits.", SearchKernel(_never)),
    SearchAlgorithm("broken", "Fails.", SearchKernel(_never)),
)
WEIGHTS = Weight("space", 1.0, 0.0, 10.0, "A weight."), Weight("food", 0.5, -1.0, 1.0, "A weight.")
EVALUATORS = (
    Evaluator("plain", "Has no weights.", (), _never),
    Evaluator("weighed", "Has two.", WEIGHTS, _never),
)

OFFER = Offer(
    default=complete_strategy("steady", EVALUATORS[1]),
    fallback=complete_strategy("steady", EVALUATORS[1]),
    searches={search.name: search for search in SEARCHES},
    evaluators={evaluator.name: evaluator for evaluator in EVALUATORS},
)


def warm_up_at_once(progress: Progress) -> None:
    """Report two parts and compile nothing."""
    progress("one", 1, 2)
    progress("two", 2, 2)


class FakeStrategies:
    """A provider of two searches and two evaluators."""

    offer = OFFER

    def __init__(
        self, depth_seconds: float = 0.02, warm_up: Callable[[Progress], None] = warm_up_at_once
    ) -> None:
        self.record = Record()
        self.depth_seconds = depth_seconds
        self.warm_up = warm_up
        self.taken_off: list[str] = []

    def new_search(self) -> Search:
        """Return a search function for one thread."""
        return FakeSearch(self.record, lambda: self.depth_seconds)

    def evaluate(self, position: Position, strategy: Strategy) -> Sequence[SnakeEvaluation]:
        """Refuse."""
        raise UnavailableError("a fake evaluates nothing")

    def take_off(self, evaluator: str, reason: str) -> None:
        """Record the evaluator."""
        self.taken_off.append(evaluator)

    def advance(self, position: Position, moves: Mapping[str, Direction]) -> PlayedTurn:
        """Refuse."""
        raise UnavailableError("a fake plays nothing")
