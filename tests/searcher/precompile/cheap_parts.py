"""A part that is compiled in a second, in a module that a child process can import."""

import multiprocessing
import os
from dataclasses import dataclass

from searcher.engine.jit.function import Function
from searcher.engine.rules.records import SHAPES
from searcher.engine.search import kernels
from searcher.evaluators import length
from searcher.parts import Part
from searcher.plugins.faults import Fault, FaultyEvaluatorError


@dataclass(frozen=True)
class CheapPart(Part):
    """A small evaluator and no search."""

    @property
    def playing(self) -> tuple[Function, ...]:
        """None."""
        return ()

    @property
    def judging(self) -> tuple[Function, ...]:
        """That of an evaluator, whatever its name says."""
        return (kernels.evaluator_function(length.evaluate, self.shape),)


CHEAP = [CheapPart("paranoid", "length", shape) for shape in SHAPES[:2]]


@dataclass(frozen=True)
class DeadlyPart(CheapPart):
    """A part that ends the process that loads it, if that is the child of another."""

    def load(self) -> None:
        """Loads it here, and ends a child."""
        if multiprocessing.parent_process() is not None:
            os._exit(9)
        super().load()


DEADLY = [DeadlyPart("paranoid", "length", shape) for shape in SHAPES[:2]]


@dataclass(frozen=True)
class OddPart(CheapPart):
    """A part whose evaluator does not compile."""

    def load(self) -> None:
        """Raises."""
        raise FaultyEvaluatorError(Fault(self.evaluator, "it is odd", "odd.py", 1))

    def is_cached(self) -> bool:
        """So it seems."""
        return True


ODD = OddPart("paranoid", "slither", SHAPES[0])
