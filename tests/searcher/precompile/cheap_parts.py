"""Parts that compile within a second, in a module that child processes can import."""

import multiprocessing
import os
from collections.abc import Sequence
from dataclasses import dataclass

from searcher.engine.rules.records import SHAPES, Shape
from searcher.plugins.faults import EvaluatorFault, FaultyEvaluatorError
from searcher.precompile.code_units import CodeUnit, EvaluatorCode, StrategyCode


@dataclass(frozen=True)
class CheapCode(StrategyCode):
    """A part with a small evaluator and no search."""

    @property
    def units(self) -> Sequence[CodeUnit]:
        """The evaluator `length`, whatever the part's evaluator is."""
        return (EvaluatorCode("length", self.shape),)


CHEAP = [CheapCode("paranoid", "length", shape) for shape in SHAPES[:2]]

AHEAD = [CheapCode("paranoid", "length", Shape(*size)) for size in ((11, 11, 8), (19, 21, 8), (11, 11, 4))]


class DeadlyCode(EvaluatorCode):
    """An evaluator whose code ends the process that loads it if that is a child process."""

    def load(self) -> None:
        """Load the code, or end a child process."""
        if multiprocessing.parent_process() is not None:
            os._exit(9)
        super().load()


DEADLY = [DeadlyCode("length", shape) for shape in SHAPES[:2]]


class FaultyCode(EvaluatorCode):
    """An evaluator that does not compile."""

    def is_cached(self) -> bool:
        """Return False, so that the code is compiled."""
        return False

    def is_loadable(self) -> bool:
        """Return False, so that the code is compiled."""
        return False

    def load(self) -> None:
        """Raise the evaluator's fault."""
        raise FaultyEvaluatorError(EvaluatorFault(self.evaluator, "it is faulty", "faulty.py", 1))


FAULTY = FaultyCode("fitted", SHAPES[0])
