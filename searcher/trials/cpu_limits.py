"""The CPU time that a new evaluator may use before it plays."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CpuLimits:
    """The seconds of CPU time after which a trial's process ends, by SIGXCPU."""

    compiling: int = 60
    """The limit for compiling an evaluator, usually a few seconds."""
    running: int = 5
    """The limit for all positions together, usually milliseconds."""
    hints: int = 60
    """The limit for the warnings that `python -m searcher try` looks for, usually a few seconds."""
