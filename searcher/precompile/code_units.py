"""Units of code that child processes compile and a process loads: searches, evaluators, turns, strategies.

A unit for a strategy on one shape of board is called a part.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from battlesnake_search.common.cores import available_cores
from battlesnake_search.contract.limits import MAX_SNAKES
from battlesnake_search.contract.rulesets import RULESETS
from searcher.engine.jit.function import Function
from searcher.engine.position import MAX_HEALTH, Position, Ruleset, Snake
from searcher.engine.rules.records import SHAPES, Shape, shapes_for
from searcher.engine.rules.turn import turn_function
from searcher.engine.search.kernels import evaluator_function, functions_of
from searcher.interface import Evaluator, Strategy, StrategyChoice
from searcher.plugins.discovery import evaluator_fault
from searcher.plugins.faults import FaultyEvaluatorError
from searcher.strategies import SEARCHES, evaluators, offer
from searcher.trials.runner import fault_since_start


class CodeUnit(ABC):
    """Functions that are loaded together. A subclass overrides `functions` or `units`.

    Units can be pickled for child processes.
    """

    @property
    @abstractmethod
    def shape(self) -> Shape:
        """The board shape that the functions are for."""

    @property
    def functions(self) -> tuple[Function, ...]:
        """The functions. Other units may share some of them."""
        return tuple(function for unit in self.units for function in unit.functions)

    @property
    def evaluator(self) -> str | None:
        """The name of the evaluator among the functions, if there is one."""
        return None

    @property
    def units(self) -> Sequence["CodeUnit"]:
        """Units that together have the same functions. Child processes can compile them at the same time."""
        return (self,)

    def is_cached(self) -> bool:
        """Return whether the code is in the cache, so that loading it compiles nothing."""
        return all(function.is_cached() for function in self.functions)

    def is_loadable(self) -> bool:
        """Load the code if it is in the cache and not loaded yet. Return whether it is loaded."""
        return all(function.is_loadable() for function in self.functions)

    def load(self) -> None:
        """Load the code, or compile it.

        A unit with an `evaluator` raises FaultyEvaluatorError if the evaluator does not compile.
        """
        for function in self.functions:
            _ = function.address


@dataclass(frozen=True, slots=True)
class TurnCode(CodeUnit):
    """The code of the rules. It plays turns on a board shape without a search."""

    shape: Shape

    def __str__(self) -> str:
        return f"the rules {shape_text(self.shape)}"

    @property
    def functions(self) -> tuple[Function, ...]:
        """The function that plays a turn."""
        return (turn_function(self.shape),)


@dataclass(frozen=True, slots=True)
class EvaluatorCode(CodeUnit):
    """The code of an evaluator. It evaluates a position on a board shape without a search."""

    evaluator: str
    shape: Shape

    def __str__(self) -> str:
        return f"the evaluator {self.evaluator} {shape_text(self.shape)}"

    @property
    def functions(self) -> tuple[Function, ...]:
        """The function that evaluates."""
        return (evaluator_function(self._declared.evaluate, self.shape),)

    @property
    def _declared(self) -> Evaluator:
        """The evaluator. Raises FaultyEvaluatorError if this process could not load it."""
        found = evaluators().get(self.evaluator)
        if found is None:
            raise FaultyEvaluatorError(fault_since_start(self.evaluator))
        return found

    def load(self) -> None:
        """Load the code, or compile it. Raises FaultyEvaluatorError if it does not compile."""
        [function] = self.functions
        try:
            _ = function.address
        except Exception as error:
            raise FaultyEvaluatorError(evaluator_fault(self._declared, error)) from error


@dataclass(frozen=True, slots=True)
class SearchCode(CodeUnit):
    """The code of a search for a board shape, without the rules and the evaluator."""

    search: str
    shape: Shape

    def __str__(self) -> str:
        return f"the search {self.search} {shape_text(self.shape)}"

    @property
    def functions(self) -> tuple[Function, ...]:
        """The functions that only searches call."""
        _, *own = functions_of(self.shape, SEARCHES[self.search].kernel)
        return tuple(own)


def missing_units(codes: Iterable[CodeUnit]) -> list[CodeUnit]:
    """Load what is in the cache, and return the smallest units of the rest.

    A function that several units share comes once.
    """
    units = {unit.functions: unit for code in codes for unit in code.units}
    return [unit for unit in units.values() if not unit.is_loadable()]


def turn_code_for(position: Position) -> TurnCode:
    """Return the code of the rules for a game that starts from the position."""
    return TurnCode(shapes_for(position)[0])


def shape_text(shape: Shape) -> str:
    """Return the size of a shape as text for messages about code."""
    return f"for {shape.snakes} snakes on {shape.stride}x{shape.rows}"


@dataclass(frozen=True, slots=True)
class StrategyCode(CodeUnit):
    """The code of a strategy for a board shape."""

    search: str
    evaluator: str
    shape: Shape

    def __str__(self) -> str:
        return f"{self.search}/{self.evaluator} {shape_text(self.shape)}"

    @property
    def units(self) -> Sequence[CodeUnit]:
        """The evaluator, the search and the rules. The search takes longest to compile, so it is not last."""
        return (
            EvaluatorCode(self.evaluator, self.shape),
            SearchCode(self.search, self.shape),
            TurnCode(self.shape),
        )

    def load(self) -> None:
        """Load the code, or compile it. Raises FaultyEvaluatorError if the evaluator does not compile."""
        for unit in self.units:
            unit.load()


@dataclass(frozen=True, slots=True)
class ShapeCode(CodeUnit):
    """All units of a shape. They share code, so one process compiles them in less time than several."""

    shape: Shape
    units: tuple[CodeUnit, ...]

    def __str__(self) -> str:
        return f"{len(self.functions)} functions {shape_text(self.shape)}"


def by_shape(units: Iterable[CodeUnit]) -> list[CodeUnit]:
    """Return the units of each shape as one unit. With more cores than shapes, return the units themselves.

    The shape with the most units is first, of equal ones the largest, because it takes longest.
    """
    shapes: dict[Shape, list[CodeUnit]] = {}
    for unit in units:
        shapes.setdefault(unit.shape, []).append(unit)

    def work(item: tuple[Shape, list[CodeUnit]]) -> tuple[int, int]:
        shape, units = item
        return len(units), shape.cells * shape.snakes

    longest_first = sorted(shapes.items(), key=work, reverse=True)
    if len(shapes) < available_cores():
        return [unit for _, units in longest_first for unit in units]
    return [ShapeCode(shape, tuple(units)) if len(units) > 1 else units[0] for shape, units in longest_first]


_AHEAD = {
    Shape(11, 11, MAX_SNAKES): (1, MAX_SNAKES),
    Shape(19, 21, MAX_SNAKES): (1, MAX_SNAKES),
    Shape(11, 11, 4): (3, 4),
    Shape(11, 11, 2): (1, 2),
}
"""The shapes to compile before a search needs them, in this order, each with the numbers of snakes for which
it is compiled. The first two hold every game of the platform, and the others are faster."""

_FIRST = next(iter(_AHEAD))
"""The shape that holds every game on 11x11."""


def codes_for(position: Position, strategy: Strategy) -> list[StrategyCode]:
    """Return the parts that can search the position, the fastest first."""
    return [StrategyCode(strategy.search, strategy.evaluator, shape) for shape in shapes_for(position)]


def first_codes() -> list[StrategyCode]:
    """Return the parts with which the default strategy can play every game on 11x11."""
    return [StrategyCode(each.search, each.evaluator, _FIRST) for each in offer().default.strategies]


def ahead_codes(played: Collection[StrategyChoice] = ()) -> list[StrategyCode]:
    """Return the parts to compile before a search needs them, in this order.

    They are the `played` strategies and the default choice, on the shapes of the platform's games.
    """
    choices = (*played, offer().default)
    codes = (code for shape in _AHEAD for choice in choices for code in _codes_of(choice, shape))
    return list(dict.fromkeys((*first_codes(), *codes)))


def _codes_of(choice: StrategyChoice, shape: Shape) -> list[StrategyCode]:
    """Return the parts that a choice plays with the shape's numbers of snakes, in all rulesets."""
    least, most = _AHEAD[shape]
    games = product(range(most, least - 1, -1), RULESETS)
    played = [choice.for_position(_sample(shape, snakes, ruleset)) for snakes, ruleset in games]
    return [StrategyCode(each.search, each.evaluator, shape) for each in played]


def _sample(shape: Shape, snakes: int, ruleset: str) -> Position:
    """Return a position on the whole board of a shape."""
    living = tuple(Snake(str(number), MAX_HEALTH, ((0, 0),)) for number in range(snakes))
    return Position(shape.stride, shape.rows, living, ruleset=Ruleset(ruleset))


def all_codes(only: Collection[StrategyChoice] = ()) -> list[CodeUnit]:
    """Return units that together have every function and every evaluator of an offer."""
    offered = offer(only)
    units: dict[tuple[tuple[Function, ...], str | None], CodeUnit] = {}
    for shape in SHAPES:
        of_shape = (
            *(EvaluatorCode(evaluator, shape) for evaluator in offered.evaluators),
            *(SearchCode(search, shape) for search in offered.searches),
            TurnCode(shape),
        )
        units.update(((unit.functions, unit.evaluator), unit) for unit in reversed(of_shape))
    return list(units.values())
