"""The shape of a trial, its steps, its limits and its outcome."""

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class CpuLimits:
    """The seconds of CPU time after which a trial's process ends, by SIGXCPU."""

    compiling: int = 60
    """The limit for compiling an evaluator, usually a few seconds."""
    running: int = 5
    """The limit for all positions together, usually milliseconds."""
    hints: int = 60
    """The limit for the warnings that `python -m searcher try` looks for, usually a few seconds."""
