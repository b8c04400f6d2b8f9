"""Compiled code in units: what child processes compile, and what a process loads."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from searcher.engine.jit.function import Function
from searcher.engine.position import Position
from searcher.engine.rules.records import Shape, shapes_for
from searcher.engine.rules.turn import turn_function
from searcher.engine.search.kernels import evaluator_function
from searcher.strategies import evaluators


class Code(ABC):
    """Functions that are loaded together. Codes are passed to child processes, so they can be pickled."""

    @property
    @abstractmethod
    def functions(self) -> tuple[Function, ...]:
        """The functions; other codes may share some of them."""

    @property
    def pieces(self) -> Sequence["Code"]:
        """Codes with the same functions in total, to be compiled at the same time."""
        return (self,)

    def is_cached(self) -> bool:
        """Return whether the code is in the cache, so that loading it compiles nothing."""
        return all(function.is_cached() for function in self.functions)

    def is_loadable(self) -> bool:
        """Return whether the code is loaded or can be loaded from the cache, and load it."""
        return all(function.is_loadable() for function in self.functions)

    def load(self) -> None:
        """Load the code from the cache, or compile it."""
        for function in self.functions:
            _ = function.address


@dataclass(frozen=True, slots=True)
class Turns(Code):
    """The rules, which play turns on a board shape without a search."""

    shape: Shape

    def __str__(self) -> str:
        return f"the rules {shape_text(self.shape)}"

    @property
    def functions(self) -> tuple[Function, ...]:
        """The function that plays a turn."""
        return (turn_function(self.shape),)


@dataclass(frozen=True, slots=True)
class Evaluation(Code):
    """The code of an evaluator, which evaluates a position on a board shape without a search."""

    evaluator: str
    shape: Shape

    def __str__(self) -> str:
        return f"the evaluator {self.evaluator} {shape_text(self.shape)}"

    @property
    def functions(self) -> tuple[Function, ...]:
        """The function that evaluates."""
        return (evaluator_function(evaluators()[self.evaluator].evaluate, self.shape),)


def missing_pieces(codes: Iterable[Code]) -> list[Code]:
    """Return the pieces of codes that are not in the cache, each function only once: codes share some."""
    pieces = {piece.functions: piece for code in codes for piece in code.pieces}
    return [piece for piece in pieces.values() if not piece.is_cached()]


def turns_from(position: Position) -> Turns:
    """Return the rules for a game that starts from the position."""
    return Turns(shapes_for(position)[0])


def shape_text(shape: Shape) -> str:
    """Return what a shape is for, as messages about code say it."""
    return f"for {shape.snakes} snakes on {shape.stride}x{shape.rows}"
