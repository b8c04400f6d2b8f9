"""The parts in which strategies are compiled: a search and an evaluator for a board shape."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from searcher.engine.jit.function import Function
from searcher.engine.position import Position
from searcher.engine.rules.records import SHAPES, Shape, shapes_for
from searcher.engine.search import kernels
from searcher.interface import Offer, Strategy, StrategyChoice
from searcher.plugins.discovery import evaluator_fault
from searcher.plugins.faults import FaultyEvaluatorError
from searcher.precompile.code import Code, shape_text
from searcher.strategies import SEARCHES, evaluators, offer


@dataclass(frozen=True, slots=True)
class Part(Code):
    """The code of a strategy for a board shape."""

    search: str
    evaluator: str
    shape: Shape

    def __str__(self) -> str:
        return f"{self.search}/{self.evaluator} {shape_text(self.shape)}"

    @property
    def functions(self) -> tuple[Function, ...]:
        """Every function that a search of such a board calls; other parts share some of them."""
        return *self.search_functions, *self.evaluator_functions

    @property
    def search_functions(self) -> tuple[Function, ...]:
        """The functions of the search."""
        return kernels.functions_of(self.shape, SEARCHES[self.search].kernel)

    @property
    def evaluator_functions(self) -> tuple[Function, ...]:
        """The functions of the evaluator that the search calls."""
        evaluator = evaluators()[self.evaluator]
        evaluate = kernels.evaluator_function(evaluator.evaluate, self.shape)
        if evaluator.at_least is None or not SEARCHES[self.search].uses_lower_bound:
            return (evaluate,)
        return evaluate, kernels.lower_bound_function(evaluator.at_least, self.shape)

    @property
    def pieces(self) -> Sequence[Code]:
        """Each function on its own; the search, which takes longest to compile, is not the last one."""
        return [PartFunction(self, number) for number in reversed(range(len(self.functions)))]

    def load(self) -> None:
        """Load the part from the cache, or compile it.

        Raises FaultyEvaluatorError if its evaluator does not compile.
        """
        for number in range(len(self.functions)):
            self.load_function(number)

    def load_function(self, number: int) -> None:
        """Load one of the functions. Raise FaultyEvaluatorError if it is the evaluator's and not compiled."""
        function = self.functions[number]
        try:
            _ = function.address
        except Exception as error:
            if function in self.search_functions:
                raise
            raise FaultyEvaluatorError(evaluator_fault(evaluators()[self.evaluator], error)) from error


@dataclass(frozen=True, slots=True)
class PartFunction(Code):
    """One function of a part, by its index."""

    part: Part
    number: int

    def __str__(self) -> str:
        [function] = self.functions
        return f"{self.part}: {function.source.__name__.strip('_')}"

    @property
    def functions(self) -> tuple[Function, ...]:
        """The function alone."""
        return (self.part.functions[self.number],)

    def load(self) -> None:
        """Load the function, as `Part.load` does."""
        self.part.load_function(self.number)


_MOST_GAMES_FIRST = sorted(SHAPES, key=lambda shape: (-shape.snakes, shape.cells))
"""The shapes, the one that holds every game on 11x11 first."""


def parts_for(position: Position, strategy: Strategy) -> list[Part]:
    """Return the parts that can search the position, the fastest first."""
    return [Part(strategy.search, strategy.evaluator, shape) for shape in shapes_for(position)]


def first_parts() -> list[Part]:
    """Return the parts with which the default strategy can play every game on 11x11."""
    strategies = offer().default.strategies
    return [Part(strategy.search, strategy.evaluator, _MOST_GAMES_FIRST[0]) for strategy in strategies]


def all_parts(only: Collection[StrategyChoice] = ()) -> list[Part]:
    """Return parts that together contain every function of an offer, in the order to compile them.

    Every strategy that the default one may choose comes first, starting with the shape that holds most games.
    Then come, shape by shape, each other evaluator with the fallback's search (an evaluator takes little to
    compile) and each other search with the fallback's evaluator. The pairs whose search calls the evaluator's
    `at_least` follow them.
    """
    others = sorted(SHAPES, key=lambda shape: (shape.cells, -shape.snakes))
    offered = offer(only)
    defaults = (*offered.default.strategies, offered.fallback)
    pairs = list(_pairs(offered))
    parts = [Part(each.search, each.evaluator, shape) for shape in _MOST_GAMES_FIRST for each in defaults]
    parts += [Part(*pair, shape) for shape in others for pair in pairs]
    unique: dict[tuple[Function, ...], Part] = {}
    for part in parts:
        unique.setdefault(part.functions, part)
    return list(unique.values())


def _pairs(offered: Offer) -> Iterator[tuple[str, str]]:
    """Yield searches and evaluators to compile together, which contain all others."""
    for evaluator in offered.evaluators:
        yield offered.fallback.search, evaluator
    for search in offered.searches:
        yield search, offered.fallback.evaluator
    for name, algorithm in offered.searches.items():
        for evaluator in offered.evaluators:
            if algorithm.uses_lower_bound and evaluators()[evaluator].at_least:
                yield name, evaluator
