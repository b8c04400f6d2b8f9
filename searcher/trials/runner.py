"""Trials of evaluators in child processes, the record of passed trials, and the report to the authors.

Faulty compiled code can end the process that runs it, so trials run in child processes. A mark next to the
compiled code records that an evaluator has passed. The evaluator is tried again when its sources change.
"""

import os
import signal
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Protocol, TextIO

import msgspec

from searcher.engine.jit import code_cache
from searcher.engine.jit.function import CompilerMissingError, compiler_is_installed
from searcher.interface import Evaluator
from searcher.plugins.discovery import REINSTALL, place_of
from searcher.plugins.faults import EvaluatorFault, Place
from searcher.strategies import evaluators, faults
from searcher.trials.own_children import OwnChildren


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
    AT_LEAST = "at_least"


@dataclass(frozen=True, slots=True)
class CpuLimits:
    """The seconds of CPU time after which a trial's process ends, by SIGXCPU."""

    compiling: int = 60
    """The limit for compiling an evaluator, usually a few seconds."""
    running: int = 5
    """The limit for all positions together, usually milliseconds."""


PATIENCE = 120.0
"""Seconds for a step of a trial, even if it uses no CPU time."""

_NICENESS = 10
"""The niceness of trials, because a searcher may run them during games."""


def trial_outcomes(
    candidates: Iterable[Evaluator],
    limits: CpuLimits | None = None,
    children: OwnChildren | None = None,
) -> Iterator[tuple[Evaluator, TrialOutcome]]:
    """Try evaluators in a child process. If the process ends, begin a new one. Yield each known outcome.

    The processes are added to `children`. Without the compiler, every outcome is a fault.
    """
    children = children or OwnChildren()
    left = list(candidates)
    if not compiler_is_installed():
        yield from (
            (each, EvaluatorFault(each.name, str(CompilerMissingError()), *place_of(each))) for each in left
        )
        return
    while left:
        for outcome in _outcomes_in_child(tuple(left), limits or CpuLimits(), children):
            yield left.pop(0), outcome


def trial_faults(
    candidates: Iterable[Evaluator], children: OwnChildren | None = None
) -> Iterator[EvaluatorFault]:
    """Try the evaluators that have not passed yet, in child processes. Yield the faults."""
    left = (each for each in candidates if not has_passed(each))
    for evaluator, outcome in trial_outcomes(left, children=children):
        if isinstance(outcome, EvaluatorFault):
            yield outcome
        else:
            _mark_passed(evaluator)


def has_passed(evaluator: Evaluator) -> bool:
    """Return whether the evaluator, with its present sources, has passed its trial."""
    return code_cache.find(mark_of(evaluator)) is not None


def _outcomes_in_child(
    candidates: Sequence[Evaluator], limits: CpuLimits, children: OwnChildren
) -> Iterator[TrialOutcome]:
    """Yield outcomes from one child process, at least one.

    If the child ends during a trial, the last outcome is a fault of the evaluator on trial.
    """
    receiver, sender = children.Pipe(duplex=False)
    names = [evaluator.name for evaluator in candidates]
    child = children.Process(target=_run_in_child, args=(names, sender, limits), daemon=True)
    child.start()
    sender.close()
    step, done = Step.COMPILE, 0
    for message in _messages(receiver, child):
        if isinstance(message, Step):
            step = message
        else:
            done += 1
            yield message
    if done < len(candidates):
        culprit = candidates[done]
        yield EvaluatorFault(culprit.name, _end_of(child, step, limits), *_place_of(culprit, step))
    child.join()


def _run_in_child(names: Sequence[str], sender: Connection, limits: CpuLimits) -> None:
    """Try evaluators in this process and send each step and each outcome."""
    # This imports the compiler, and the parent may have no need of it.
    from searcher.trials.trial import run_trials

    os.nice(_NICENESS)
    # The parent ends this process when the user interrupts both.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Evaluators may print, but standard output belongs to the parent.
    sys.stdout = sys.stderr
    run_trials((evaluators()[name] for name in names), sender.send, limits)


def _messages(receiver: Connection, child: SpawnProcess) -> Iterator[Step | TrialOutcome]:
    """Yield the messages of a child until it ends. End it after PATIENCE without a message."""
    with receiver, suppress(EOFError):
        while receiver.poll(PATIENCE):
            yield receiver.recv()
        # A step that sleeps never reaches its limit of CPU time, so end it by the same signal.
        os.kill(child.ident or 0, signal.SIGXCPU)


def _end_of(child: SpawnProcess, step: Step, limits: CpuLimits) -> str:
    """Wait for the end of a child, and return it as the fault of the evaluator on trial."""
    child.join()
    code = child.exitcode or 0
    if code == -signal.SIGXCPU:
        within = f" within {limits.compiling} s" if step is Step.COMPILE else ""
        return f"{step.value} does not end{within}"
    if code < 0:
        return f"{step.value} ends its process: {signal.strsignal(-code)}"
    return f"{step.value} ends its process with {code}"


def _place_of(evaluator: Evaluator, step: Step) -> Place:
    """Return the place of the function that a step runs."""
    if step is Step.AT_LEAST and evaluator.at_least is not None:
        code = evaluator.at_least.__code__
        return code.co_filename, code.co_firstlineno
    return place_of(evaluator)


def mark_of(evaluator: Evaluator) -> str:
    """Return the name of the cache file that marks the evaluator as passed."""
    return f"tried/{evaluator.name}-{code_cache.stamp_of(place_of(evaluator)[0])}"


def _mark_passed(evaluator: Evaluator) -> None:
    # If the mark can't be written, the trial is repeated at each start.
    code_cache.store(mark_of(evaluator), lambda path, _: path.touch())


class TrialProgress(Protocol):
    """Shows progress until it is closed. A call after `close` shows it again."""

    def __call__(self, label: str, done: int, total: int) -> None:
        """Show that `done` of `total` evaluators are tried, and the label."""

    def close(self) -> None:
        """Make room for other output."""


def report_trials(names: Collection[str], output: TextIO, as_json: bool, progress: TrialProgress) -> bool:
    """Try the evaluators of these names, by default all. Write a line about each. Return whether all passed.

    Raises ValueError with the valid names for an unknown name.
    """
    passed = True
    for name, outcome in _outcomes(names, progress):
        progress.close()
        text = str(outcome) if outcome is not None else f"evaluator {name} is fine"
        line = msgspec.json.encode(outcome).decode() if as_json else text
        print(line, file=output, flush=True)
        passed = passed and not isinstance(outcome, EvaluatorFault)
    return passed


def _outcomes(names: Collection[str], progress: TrialProgress) -> Iterator[tuple[str, TrialOutcome]]:
    """Yield names with outcomes. Evaluators that could not be loaded come first."""
    loaded, not_loaded = evaluators(), [(fault.evaluator, fault) for fault in faults()]
    if unknown := set(names) - loaded.keys() - {name for name, _ in not_loaded}:
        raise ValueError(f"no evaluator {min(unknown)!r}; valid: {', '.join(loaded)}; {REINSTALL}")
    yield from (each for each in not_loaded if not names or each[0] in names)
    chosen = [loaded[name] for name in names or loaded if name in loaded]
    outcomes = trial_outcomes(chosen)
    for number, evaluator in enumerate(chosen):
        progress(f"trying {evaluator.name}", number, len(chosen))
        yield evaluator.name, next(outcomes)[1]
