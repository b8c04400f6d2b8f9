"""What the service asks of the strategies; `strategies` and `precompile.warmup` answer it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from searcher.engine.position import Position
from searcher.engine.result import Limits, Result
from searcher.engine.search.clock import Clock

Progress = Callable[[str, int, int], None]
"""Hears what is being made ready, how many parts are done, and how many there are."""

Warm = Callable[[Progress], None]
"""Gets everything ready that a first search would have to wait for; may go on with the rest behind."""


class Strategy(Protocol):
    """What looks and how it judges, with every weight of the evaluator."""

    @property
    def search(self) -> str:
        """The name of the search."""

    @property
    def evaluator(self) -> str:
        """The name of the evaluator."""

    @property
    def weights(self) -> Mapping[str, float]:
        """All weights of the evaluator, by name."""


class Weight(Protocol):
    """A number that an evaluator lets its caller choose."""

    @property
    def name(self) -> str:
        """Unique within the evaluator."""

    @property
    def default(self) -> float:
        """The value when the caller gives none."""

    @property
    def minimum(self) -> float:
        """The least valid value."""

    @property
    def maximum(self) -> float:
        """The greatest valid value."""

    @property
    def description(self) -> str:
        """One line for people."""


class SearchKind(Protocol):
    """A way of looking ahead."""

    @property
    def name(self) -> str:
        """What a strategy calls it."""

    @property
    def description(self) -> str:
        """One line for people."""


class Evaluator(Protocol):
    """A way of judging a position."""

    @property
    def name(self) -> str:
        """What a strategy calls it."""

    @property
    def description(self) -> str:
        """One line for people."""

    @property
    def weights(self) -> tuple[Weight, ...]:
        """What its caller may choose."""


class Searcher(Protocol):
    """Runs searches one after another in one thread; owns the memory that they need."""

    def search(
        self,
        position: Position,
        # Any: a searcher takes the strategies of its own provider alone.
        strategy: Any,
        limits: Limits,
        clock: Clock,
        on_depth: Callable[[Result], None] | None = None,
    ) -> Result:
        """Searches until a limit or the clock says stop; `on_depth` hears of each completed depth."""


class Strategies(Protocol):
    """A provider of strategies: a module or an object."""

    @property
    def DEFAULT(self) -> Strategy:
        """What runs when the caller names nothing."""

    @property
    def SEARCHES(self) -> Mapping[str, SearchKind]:
        """Every search, by name."""

    @property
    def EVALUATORS(self) -> Mapping[str, Evaluator]:
        """Every evaluator, by name."""

    @property
    def strategy_of(self) -> Callable[[str, str, Mapping[str, float]], Strategy]:
        """A strategy by valid names, with default weights where none are given."""

    @property
    def Searcher(self) -> Callable[[], Searcher]:
        """Makes a searcher, in the thread that will use it."""


@dataclass(frozen=True, slots=True)
class Task:
    """A valid request: what to search, and how long. `time` is in seconds; None: not limited by time."""

    position: Position
    strategy: Strategy
    limits: Limits
    time: float | None
