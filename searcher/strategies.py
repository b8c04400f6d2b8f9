"""Strategies: a search and an evaluator joined by name. The one place that knows which there are."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from searcher.engine.algorithms import breadth, brs, maxn, paranoid, simultaneous
from searcher.engine.position import Position
from searcher.engine.result import Limits, Result
from searcher.engine.root.deepening import Deepening, Expecting, OnDepth
from searcher.engine.root.mixed import Mixing
from searcher.engine.root.parallel import SideBySide
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import SHAPES, WEIGHTS_DTYPE, Shape, shapes_for
from searcher.engine.search import kernels
from searcher.engine.search.clock import Clock
from searcher.engine.search.table import Table
from searcher.engine.search.threads import new_thread
from searcher.evaluators import Evaluator
from searcher.plugins.discovery import fault_in, find_evaluators
from searcher.plugins.faults import Fault, FaultyEvaluatorError

TABLE_BYTES = 16 << 20
"""Size of a transposition table."""


@dataclass(frozen=True, slots=True)
class SearchKind:
    """A way of looking ahead."""

    name: str
    description: str
    reply: kernels.SearchFunction
    bounds: bool = True
    """Whether `reply` may answer with a bound outside of its window; if not, every score is exact."""
    reduces: bool = False
    """Whether `reply` is to look less closely at what seldom matters."""
    asks_at_least: bool = False
    """Whether `reply` asks the evaluator what a move brings at least."""
    deepening: type[Deepening] = Deepening


@dataclass(frozen=True, slots=True)
class Strategy:
    """What looks and how it judges; `weights` has every weight of the evaluator."""

    search: str
    evaluator: str
    weights: Mapping[str, float]

    def __str__(self) -> str:
        return f"{self.search}/{self.evaluator}"


SEARCHES: Mapping[str, SearchKind] = {
    kind.name: kind
    for kind in (
        SearchKind(
            "paranoid",
            "Alpha-beta; all others play against me and know my move; looks past what seldom matters.",
            paranoid.reply,
            reduces=True,
            deepening=Expecting,
        ),
        SearchKind(
            "paranoid-full",
            "As paranoid, but looks at every move to the full depth.",
            paranoid.reply,
            asks_at_least=True,
        ),
        SearchKind(
            "brs", "Best-reply search; one of the others moves a turn, the rest stand still.", brs.reply
        ),
        SearchKind(
            "brs-plus", "Best-reply search; one chooses, the rest make a default move.", brs.reply_plus
        ),
        SearchKind(
            "maxn",
            "Each snake does what is best for itself and knows my move.",
            maxn.reply,
            bounds=False,
            deepening=Expecting,
        ),
        SearchKind(
            "breadth",
            "Every direction equally deep, on all cores; the scores of all positions on the way count.",
            breadth.reply,
            bounds=False,
            deepening=SideBySide,
        ),
        SearchKind(
            "simultaneous",
            "A matrix game each turn, for duels; chooses by chance where no move is safe.",
            simultaneous.reply,
            deepening=Mixing,
        ),
    )
}

_FOUND = find_evaluators()

EVALUATORS: Mapping[str, Evaluator] = _FOUND.evaluators

FAULTS: tuple[Fault, ...] = _FOUND.faults
"""What is wrong with evaluators that are left out."""


def strategy_of(search: str, evaluator: str, weights: Mapping[str, float] | None = None) -> Strategy:
    """A strategy with the evaluator's default weights where `weights` names none. All names must be known."""
    defaults = {weight.name: weight.default for weight in EVALUATORS[evaluator].weights}
    return Strategy(search, evaluator, {**defaults, **(weights or {})})


DEFAULT = strategy_of("paranoid", "balanced")


def offer(only: Collection[Strategy] = ()) -> tuple[Mapping[str, SearchKind], Mapping[str, Evaluator]]:
    """The searches and the evaluators of these strategies and the default one; by default all there are.

    Each of these searches can be joined with each of these evaluators.
    """
    if not only:
        return SEARCHES, EVALUATORS
    searches = {strategy.search for strategy in (DEFAULT, *only)}
    evaluators = {strategy.evaluator for strategy in (DEFAULT, *only)}
    return (
        {name: kind for name, kind in SEARCHES.items() if name in searches},
        {name: evaluator for name, evaluator in EVALUATORS.items() if name in evaluators},
    )


def parse_strategy(text: str) -> Strategy:
    """The strategy written search/evaluator; the default one for an empty text.

    Raises ValueError, which names the valid ones.
    """
    if not text:
        return DEFAULT
    search, slash, evaluator = text.partition("/")
    if not slash or search not in SEARCHES or evaluator not in EVALUATORS:
        for fault in FAULTS:
            if fault.evaluator == evaluator:
                raise FaultyEvaluatorError(fault)
        searches, evaluators = ", ".join(SEARCHES), ", ".join(EVALUATORS)
        raise ValueError(
            f"no strategy {text!r}, which would be like paranoid/area; "
            f"there are the searches {searches} and the evaluators {evaluators}"
        )
    return strategy_of(search, evaluator)


class Searcher:
    """Runs searches one after another in one thread; owns the memory that they need."""

    def __init__(self) -> None:
        self._table = Table(TABLE_BYTES)

    def search(
        self,
        position: Position,
        strategy: Strategy,
        limits: Limits,
        clock: Clock,
        on_depth: OnDepth | None = None,
        shape: Shape | None = None,
    ) -> Result:
        """Searches until a limit or the clock says stop; `on_depth` hears of each completed depth.

        `shape` is one that holds the position, by default the smallest.
        """
        evaluator, kind = EVALUATORS[strategy.evaluator], SEARCHES[strategy.search]
        weights = np.zeros(1, dtype=WEIGHTS_DTYPE)
        weights["values"][0, : len(evaluator.weights)] = [
            strategy.weights[weight.name] for weight in evaluator.weights
        ]
        self._table.next_search()
        packed = pack(position, shape)
        threads = [
            new_thread(
                position,
                packed,
                kind.reply,
                evaluator.evaluate,
                evaluator.at_least if kind.asks_at_least else None,
                weights,
                limits,
                clock,
                self._table,
                reduces=kind.reduces,
                contrary=number % 2 == 1,
            )
            for number in range(limits.threads)
        ]
        return kind.deepening(position, threads, limits, clock, bounds=kind.bounds).run(on_depth)


@dataclass(frozen=True, slots=True)
class Part:
    """What is compiled together: a strategy for a shape of board."""

    search: str
    evaluator: str
    shape: Shape

    def __str__(self) -> str:
        size = f"{self.shape.stride}x{self.shape.rows}"
        return f"{self.search}/{self.evaluator} for {self.shape.snakes} snakes on {size}"

    @property
    def functions(self) -> tuple[kernels.Function, ...]:
        """All that a search of such a board runs; other parts share some of them."""
        return *self.playing, *self.judging

    @property
    def playing(self) -> tuple[kernels.Function, ...]:
        """The functions of the search."""
        return kernels.functions_of(self.shape, SEARCHES[self.search].reply)

    @property
    def judging(self) -> tuple[kernels.Function, ...]:
        """The functions of the evaluator."""
        evaluator = EVALUATORS[self.evaluator]
        evaluate = kernels.evaluator_function(evaluator.evaluate, self.shape)
        if evaluator.at_least is None or not SEARCHES[self.search].asks_at_least:
            return (evaluate,)
        return evaluate, kernels.bound_function(evaluator.at_least, self.shape)

    def is_cached(self) -> bool:
        """Whether the part lies in the cache, so that loading it compiles nothing."""
        return all(function.is_cached() for function in self.functions)

    def load(self) -> None:
        """Loads the part from the cache, or compiles it.

        Raises FaultyEvaluatorError if that can't be done with its evaluator.
        """
        for function in self.playing:
            _ = function.address
        try:
            for function in self.judging:
                _ = function.address
        except Exception as error:
            raise FaultyEvaluatorError(fault_in(EVALUATORS[self.evaluator], error)) from error


def parts_for(position: Position, strategy: Strategy) -> list[Part]:
    """The parts that a search of the position can use, the fastest first."""
    return [Part(strategy.search, strategy.evaluator, shape) for shape in shapes_for(position)]


def all_parts(only: Collection[Strategy] = ()) -> list[Part]:
    """Parts that have all functions of an offer between them, in the order to get ready in.

    The default strategy comes first, and what holds most games; then, board by board, each other evaluator,
    which takes little to compile, and each other search, joined with the default's; then those joined with
    each other of which a search asks more.
    """
    defaults = sorted(SHAPES, key=lambda shape: (-shape.snakes, shape.cells))
    others = sorted(SHAPES, key=lambda shape: (shape.cells, -shape.snakes))
    searches, evaluators = offer(only)
    pairs = [(DEFAULT.search, evaluator) for evaluator in evaluators if evaluator != DEFAULT.evaluator]
    pairs += [(search, DEFAULT.evaluator) for search in searches if search != DEFAULT.search]
    pairs += [
        (search, evaluator)
        for search in searches
        for evaluator in evaluators
        if SEARCHES[search].asks_at_least and EVALUATORS[evaluator].at_least
    ]
    parts = [Part(DEFAULT.search, DEFAULT.evaluator, shape) for shape in defaults]
    parts += [Part(*pair, shape) for shape in others for pair in pairs]
    unique: dict[tuple[kernels.Function, ...], Part] = {}
    for part in parts:
        unique.setdefault(part.functions, part)
    return list(unique.values())
