"""A part that is compiled in a second, in a module that a child process can import."""

import multiprocessing
import os
from dataclasses import dataclass

from searcher.engine import kernels
from searcher.engine.board import SHAPES
from searcher.evaluators import length
from searcher.strategies import Part


@dataclass(frozen=True)
class CheapPart(Part):
    """One evaluator and no search."""

    @property
    def functions(self) -> tuple[kernels.Function, ...]:
        """That of the evaluator."""
        return (kernels.evaluator_function(length.evaluate, self.shape),)


CHEAP = [CheapPart("none", "length", shape) for shape in SHAPES[:2]]


@dataclass(frozen=True)
class DeadlyPart(CheapPart):
    """A part that ends the process that loads it, if that is the child of another."""

    def load(self) -> None:
        """Loads it here, and ends a child."""
        if multiprocessing.parent_process() is not None:
            os._exit(9)
        super().load()


DEADLY = [DeadlyPart("none", "length", shape) for shape in SHAPES[:2]]
