"""Parts that compile within a second, in a module that child processes can import."""

import multiprocessing
import os
from collections.abc import Sequence
from dataclasses import dataclass

from searcher.engine.jit.function import Function
from searcher.engine.rules.records import SHAPES, Shape
from searcher.engine.search import kernels
from searcher.evaluators import length
from searcher.plugins.faults import EvaluatorFault, FaultyEvaluatorError
from searcher.precompile.code_units import CodeUnit, StrategyCode


@dataclass(frozen=True)
class CheapCode(StrategyCode):
    """A part with a small evaluator and no search."""

    @property
    def search_functions(self) -> tuple[Function, ...]:
        """No functions."""
        return ()

    @property
    def evaluator_function(self) -> Function:
        """The function of the evaluator `length`, whatever the part's evaluator is."""
        return kernels.evaluator_function(length.evaluate, self.shape)


CHEAP = [CheapCode("paranoid", "length", shape) for shape in SHAPES[:2]]

AHEAD = [CheapCode("paranoid", "length", Shape(*size)) for size in ((11, 11, 8), (19, 21, 8), (11, 11, 4))]


@dataclass(frozen=True)
class DeadlyPart(CheapCode):
    """A part that ends the process that loads it if that is a child process."""

    @property
    def units(self) -> Sequence[CodeUnit]:
        """The part itself."""
        return (self,)

    def load(self) -> None:
        """Load the part, or end a child process."""
        if multiprocessing.parent_process() is not None:
            os._exit(9)
        super().load()


DEADLY = [DeadlyPart("paranoid", "length", shape) for shape in SHAPES[:2]]


@dataclass(frozen=True)
class FaultyCode(CheapCode):
    """A part whose evaluator does not compile."""

    @property
    def units(self) -> Sequence[CodeUnit]:
        """The part itself."""
        return (self,)

    def is_cached(self) -> bool:
        """Return False, so that the part is compiled."""
        return False

    def is_loadable(self) -> bool:
        """Return False, so that the part is compiled."""
        return False

    def load(self) -> None:
        """Raise the evaluator's fault."""
        raise FaultyEvaluatorError(EvaluatorFault(self.evaluator, "it is faulty", "faulty.py", 1))


FAULTY = FaultyCode("paranoid", "fitted", SHAPES[0])
