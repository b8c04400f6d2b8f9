"""Parts that compile within a second, in a module that child processes can import."""

import multiprocessing
import os
from dataclasses import dataclass

from searcher.engine.jit.function import Function
from searcher.engine.rules.records import SHAPES
from searcher.engine.search import kernels
from searcher.evaluators import length
from searcher.plugins.faults import EvaluatorFault, FaultyEvaluatorError
from searcher.precompile.code_units import StrategyCode


@dataclass(frozen=True)
class CheapCode(StrategyCode):
    """A part with a small evaluator and no search."""

    @property
    def search_functions(self) -> tuple[Function, ...]:
        """No functions."""
        return ()

    @property
    def evaluator_functions(self) -> tuple[Function, ...]:
        """The function of the evaluator `length`, whatever the part's evaluator is."""
        return (kernels.evaluator_function(length.evaluate, self.shape),)


CHEAP = [CheapCode("paranoid", "length", shape) for shape in SHAPES[:2]]


@dataclass(frozen=True)
class DeadlyPart(CheapCode):
    """A part that ends the process that loads it if that is a child process."""

    def load(self) -> None:
        """Load the part, or end a child process."""
        if multiprocessing.parent_process() is not None:
            os._exit(9)
        super().load()


DEADLY = [DeadlyPart("paranoid", "length", shape) for shape in SHAPES[:2]]


@dataclass(frozen=True)
class FaultyCode(CheapCode):
    """A part whose evaluator does not compile."""

    def load(self) -> None:
        """Raise the evaluator's fault."""
        raise FaultyEvaluatorError(EvaluatorFault(self.evaluator, "it is faulty", "faulty.py", 1))

    def is_cached(self) -> bool:
        """Return True, so that the part is loaded."""
        return True


FAULTY = FaultyCode("paranoid", "slither", SHAPES[0])
