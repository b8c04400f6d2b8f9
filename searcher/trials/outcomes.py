"""Trials seen from outside: their steps, their limits, and their outcomes."""

from dataclasses import dataclass
from enum import Enum

import msgspec

from searcher.plugins.faults import Fault


class Notice(msgspec.Struct, frozen=True):
    """What the author of an evaluator should know although it passes its trial."""

    evaluator: str
    warning: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"evaluator {self.evaluator} runs, but {self.warning} ({self.file}:{self.line})"


TrialOutcome = Fault | Notice | None
"""None if there is nothing to report about the evaluator."""


class Step(Enum):
    """A step of a trial, by the subject of a sentence about it."""

    COMPILE = "compiling"
    EVALUATE = "evaluate"
    AT_LEAST = "at_least"


@dataclass(frozen=True, slots=True)
class CpuLimits:
    """The seconds of CPU time after which a trial's process ends, by SIGXCPU."""

    compiling: int = 60
    """For compiling an evaluator, which takes a few seconds."""
    running: int = 5
    """For all positions together, which take most evaluators milliseconds."""
