"""The parts that strategies are compiled in: a search and an evaluator for a shape of board."""

from collections.abc import Collection
from dataclasses import dataclass

from searcher.engine.jit.function import Function
from searcher.engine.position import Position
from searcher.engine.rules.records import SHAPES, Shape, shapes_for
from searcher.engine.search import kernels
from searcher.interface import Strategy
from searcher.plugins.discovery import fault_in
from searcher.plugins.faults import FaultyEvaluatorError
from searcher.strategies import DEFAULT, SEARCHES, evaluators, offer


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
    def functions(self) -> tuple[Function, ...]:
        """All that a search of such a board runs; other parts share some of them."""
        return *self.playing, *self.judging

    @property
    def playing(self) -> tuple[Function, ...]:
        """The functions of the search."""
        return kernels.functions_of(self.shape, SEARCHES[self.search].kernel)

    @property
    def judging(self) -> tuple[Function, ...]:
        """The functions of the evaluator."""
        evaluator = evaluators()[self.evaluator]
        evaluate = kernels.evaluator_function(evaluator.evaluate, self.shape)
        if evaluator.at_least is None or not SEARCHES[self.search].uses_lower_bound:
            return (evaluate,)
        return evaluate, kernels.lower_bound_function(evaluator.at_least, self.shape)

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
            raise FaultyEvaluatorError(fault_in(evaluators()[self.evaluator], error)) from error


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
    offered = offer(only)
    pairs = [
        (DEFAULT.search, evaluator) for evaluator in offered.evaluators if evaluator != DEFAULT.evaluator
    ]
    pairs += [(search, DEFAULT.evaluator) for search in offered.searches if search != DEFAULT.search]
    pairs += [
        (search, evaluator)
        for search in offered.searches
        for evaluator in offered.evaluators
        if SEARCHES[search].uses_lower_bound and evaluators()[evaluator].at_least
    ]
    parts = [Part(DEFAULT.search, DEFAULT.evaluator, shape) for shape in defaults]
    parts += [Part(*pair, shape) for shape in others for pair in pairs]
    unique: dict[tuple[Function, ...], Part] = {}
    for part in parts:
        unique.setdefault(part.functions, part)
    return list(unique.values())
