"""The shape of a trial, its steps, its limits and its outcome."""

from collections.abc import Mapping
from enum import Enum

import msgspec

from searcher.engine.rules.records import SHAPES, Shape
from searcher.plugins.faults import EvaluatorFault

SHAPE = Shape(11, 11, max(shape.snakes for shape in SHAPES))
"""The shape on which evaluators are tried: the shape of most games."""


class Notice(msgspec.Struct, frozen=True):
    """A warning to the author of an evaluator that passes its trial."""

    evaluator: str
    warning: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"evaluator {self.evaluator} runs, but {self.warning} ({self.file}:{self.line})"


TrialOutcome = EvaluatorFault | Notice | None
"""The fault of an evaluator, a warning about it, or None if its trial found neither."""


class Step(Enum):
    """A step of a trial. Its value is the subject of a sentence, such as "compiling"."""

    COMPILE = "compiling"
    EVALUATE = "evaluate"
    HINTS = "the check"


LIMITS: Mapping[Step, int] = {Step.COMPILE: 60, Step.EVALUATE: 5, Step.HINTS: 60}
"""The seconds of CPU time after which SIGXCPU ends the process of a step.

All evaluations together usually take milliseconds, and the other steps a few seconds.
"""
