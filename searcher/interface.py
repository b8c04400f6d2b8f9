"""The types that the parts of the searcher share, such as Weight, Evaluator, Strategy, Task and Search."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from searcher.engine.live_board import Death
from searcher.engine.position import Direction, Position
from searcher.engine.result import Limits, Result
from searcher.engine.root.deepening import Deepening
from searcher.engine.root.deepening import OnDepth as OnDepth
from searcher.engine.search.clock import Clock
from searcher.engine.search.kernels import SearchKernel

Progress = Callable[[str, int, int], None]
"""A function that receives a label, the number of functions compiled so far, and the number of all.

In a trial the numbers are those of evaluators.
"""


@dataclass(frozen=True, slots=True)
class Weight:
    """A number of an evaluator that a caller may change, and its bounds. Both bounds are included."""

    name: str
    default: float
    minimum: float
    maximum: float
    description: str

    @property
    def nearest_to_zero(self) -> float:
        """0, or the bound nearest to 0 if 0 is out of bounds."""
        return min(max(0.0, self.minimum), self.maximum)


@dataclass(frozen=True, slots=True)
class Evaluator:
    """An evaluator. Its function is plain Python, compiled when a search needs it."""

    name: str
    description: str
    weights: tuple[Weight, ...]
    evaluate: Callable[..., float]
    code_digest: str = ""
    """A digest of the code that finds moves with this evaluator."""


@dataclass(frozen=True, slots=True)
class SearchAlgorithm:
    """A search algorithm: the kernel that scores a root move, and the deepening that calls it."""

    name: str
    description: str
    kernel: SearchKernel
    uses_window: bool = True
    """Whether the kernel may return a bound outside of its window. Otherwise every score is exact."""
    reduces: bool = False
    """Whether the kernel gives a smaller depth to moves that seldom matter."""
    deepening: type[Deepening] = Deepening


@dataclass(frozen=True, slots=True)
class Strategy:
    """A search algorithm and an evaluator, by name. `weights` has every weight of the evaluator."""

    search: str
    evaluator: str
    weights: Mapping[str, float]

    def __str__(self) -> str:
        return f"{self.search}/{self.evaluator}"

    @property
    def strategies(self) -> "Collection[Strategy]":
        """This strategy alone."""
        return (self,)

    @property
    def choice_digest(self) -> str:
        """Always empty, because the strategy is the same in every position."""
        return ""

    def for_position(self, position: Position) -> "Strategy":
        """Return this strategy for every position."""
        return self


class StrategyChoice(Protocol):
    """A user's choice of a strategy: a fixed one, or `auto` with a strategy for each position."""

    @property
    def strategies(self) -> Collection[Strategy]:
        """The strategies to choose among."""

    @property
    def choice_digest(self) -> str:
        """A digest of the rules of the choice, empty if the choice is the same in every position."""

    def for_position(self, position: Position) -> Strategy:
        """Return the strategy for the position. It depends on the position alone."""


def complete_strategy(
    search: str, evaluator: Evaluator, weights: Mapping[str, float] | None = None
) -> Strategy:
    """Return a strategy with the weights in `weights`, and the evaluator's default for every other weight."""
    defaults = {weight.name: weight.default for weight in evaluator.weights}
    return Strategy(search, evaluator.name, {**defaults, **(weights or {})})


@dataclass(frozen=True, slots=True)
class Offer:
    """The strategies that a searcher offers: each search can be combined with each evaluator.

    `default` plays if a caller names no strategy. If a caller names only the search, only the evaluator, or
    only weights, `fallback` completes the strategy.
    """

    default: StrategyChoice
    fallback: Strategy
    searches: Mapping[str, SearchAlgorithm]
    evaluators: Mapping[str, Evaluator]
    faults: Mapping[str, str] = field(default_factory=dict)
    """The faults of installed evaluators that are not on offer, by name. A fault is one line."""
    on_trial: Collection[str] = ()
    """The names of evaluators on offer whose trial has not ended."""


@dataclass(frozen=True, slots=True)
class Task:
    """A valid request. `time` is in seconds, or None without a limit of time.

    `takes_idle`: whether workers without another request help, until a request needs them. `strategy` is the
    strategy that runs, and `code_digest` is the digest of its evaluator. `choice_digest` is
    from the StrategyChoice that gave the strategy.
    """

    position: Position
    strategy: Strategy
    limits: Limits
    time: float | None
    takes_idle: bool = False
    code_digest: str = ""
    choice_digest: str = ""


@dataclass(frozen=True, slots=True)
class WeightEffect:
    """The effect of a weight on a value. `value_without` is the value with `replacement` as the weight."""

    name: str
    weight: float
    replacement: float
    value_without: float


@dataclass(frozen=True, slots=True)
class SnakeEvaluation:
    """The evaluation of a position for one snake: the evaluator's `value`, and the `score` in a search."""

    score: float
    value: float
    weights: tuple[WeightEffect, ...]


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A position after a turn, with the deaths of the turn by snake id, and whether the game is over.

    `by` of a death is an index into the snakes of the position before the turn.
    """

    position: Position
    deaths: Mapping[str, Death]
    is_over: bool


Search = Callable[[Position, Strategy, Limits, Clock, OnDepth | None], Result]
"""A search until a limit or the clock ends it. It calls `on_depth` after each completed depth.

Call it from one thread only. It raises RequestError if the search is refused.
"""


class StrategyProvider(Protocol):
    """The strategies as the service uses them."""

    @property
    def offer(self) -> Offer:
        """The strategies on offer now, without faulty evaluators."""

    def new_search(self) -> Search:
        """Return a search function with its own memory for the calling thread."""

    def evaluate(self, position: Position, strategy: Strategy) -> Sequence[SnakeEvaluation]:
        """Return the evaluation of each snake of a position by the strategy's evaluator.

        Raises RequestError if the evaluator's code is not ready.
        """

    def take_off(self, evaluator: str, reason: str) -> None:
        """Remove an evaluator from the offer for a reason, also after a restart of this process.

        The evaluators of this project stay on offer.
        """

    def advance(self, position: Position, moves: Mapping[str, Direction]) -> PlayedTurn:
        """Play a turn with a move for each snake, by id.

        Raises RequestError if the code of the rules is not ready.
        """

    def warm_up(self, progress: Progress) -> object:
        """Load or compile the code that a first search needs."""
