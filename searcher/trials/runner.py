"""Trials of evaluators in child processes, and the record of those that passed.

Faulty compiled code can end its process, so trials run in other processes. A mark next to the
compiled code records that an evaluator has passed; it is tried again when its sources change.
"""

import os
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

from searcher.engine.jit import code_cache
from searcher.engine.jit.function import CompilerMissingError, compiler_is_installed
from searcher.interface import Evaluator
from searcher.plugins.discovery import place_of
from searcher.plugins.faults import Fault, Place
from searcher.strategies import evaluators
from searcher.trials.outcomes import CpuLimits, Step, TrialOutcome
from searcher.trials.own_children import OwnChildren

PATIENCE = 120.0
"""Seconds for a step of a trial, also if it uses no CPU time."""

_NICENESS = 10
"""The niceness of trials, which a searcher may run while it plays games."""


def trial_outcomes(
    candidates: Iterable[Evaluator],
    limits: CpuLimits | None = None,
    children: OwnChildren | None = None,
) -> Iterator[tuple[Evaluator, TrialOutcome]]:
    """Try evaluators in a child process, or in several if one of them ends; yield each outcome at once.

    The processes are among `children`. Without the compiler, that is the fault of each of them.
    """
    children = children or OwnChildren()
    left = list(candidates)
    if not compiler_is_installed():
        yield from ((each, Fault(each.name, str(CompilerMissingError()), *place_of(each))) for each in left)
        return
    while left:
        for outcome in _outcomes_in_child(tuple(left), limits or CpuLimits(), children):
            yield left.pop(0), outcome


def trial_faults(candidates: Iterable[Evaluator], children: OwnChildren | None = None) -> Iterator[Fault]:
    """Try the evaluators that have not passed yet, in child processes; yield the faults that are found."""
    left = (each for each in candidates if not has_passed(each))
    for evaluator, outcome in trial_outcomes(left, children=children):
        if isinstance(outcome, Fault):
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

    If the child ends during a trial, that is the fault of its evaluator, and the last outcome.
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
        yield Fault(culprit.name, _end_of(child, step, limits), *_place_of(culprit, step))
    child.join()


def _run_in_child(names: Sequence[str], sender: Connection, limits: CpuLimits) -> None:
    """Try evaluators in this process and send each step and each outcome."""
    # Imports the compiler, which the parent may do without.
    from searcher.trials.trial import run_trials

    os.nice(_NICENESS)
    # The parent ends this process when the user interrupts both.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Evaluators may print; standard output belongs to the parent.
    sys.stdout = sys.stderr
    run_trials((evaluators()[name] for name in names), sender.send, limits)


def _messages(receiver: Connection, child: SpawnProcess) -> Iterator[Step | TrialOutcome]:
    """Yield what a child sends until it ends; end it if it sends nothing for PATIENCE."""
    with receiver, suppress(EOFError):
        while receiver.poll(PATIENCE):
            yield receiver.recv()
        # A step that only waits never reaches its limit of CPU time, so it ends as if it had.
        os.kill(child.ident or 0, signal.SIGXCPU)


def _end_of(child: SpawnProcess, step: Step, limits: CpuLimits) -> str:
    """Wait until a child has ended, and return how, as the fault of the evaluator that it was trying."""
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
    """Return the name of the file of the cache which marks that the evaluator has passed."""
    return f"tried/{evaluator.name}-{code_cache.stamp_of(place_of(evaluator)[0])}"


def _mark_passed(evaluator: Evaluator) -> None:
    # If the mark can't be written, the trial is repeated at each start.
    code_cache.store(mark_of(evaluator), lambda path, _: path.touch())
