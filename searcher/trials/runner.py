"""Trials of evaluators in child processes, the record of passed trials, and the report to the authors.

Faulty compiled code can end the process that runs it, so trials run in child processes. A mark next to the
compiled code records that an evaluator has passed. It is tried again when its sources or the trial change.
"""

import os
import signal
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, Protocol, TextIO

import msgspec

from searcher.engine.jit import code_cache
from searcher.engine.jit.emission import CompilerMissingError, compiler_is_installed
from searcher.interface import Evaluator
from searcher.plugins.discovery import REINSTALL, place_of
from searcher.plugins.faults import EvaluatorFault
from searcher.plugins.mistakes import nearest
from searcher.strategies import evaluators, faults
from searcher.trials.cpu_limits import CpuLimits
from searcher.trials.outcome import Notice, Step, TrialOutcome
from searcher.trials.own_children import OwnChildren

_SLOW = 5_000.0
"""Nanoseconds of an evaluation that are worth a warning: some ten times what the slowest of ours takes."""


PATIENCE = 120.0
"""Seconds for a step of a trial, even if it uses no CPU time."""

_NICENESS = 10
"""The niceness of trials, because a searcher may run them during games."""


_Work = Callable[[Sequence[str], Callable[[object], None], CpuLimits], None]
"""Work on evaluators, by name: it sends each step and each result."""


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
    candidates: Iterable[Evaluator],
    children: OwnChildren | None = None,
    warn: Callable[[str], object] | None = None,
) -> Iterator[EvaluatorFault]:
    """Try the evaluators that have not passed yet, in child processes. Yield the faults.

    `warn` receives the text of each warning.
    """
    left = (each for each in candidates if not has_passed(each))
    for evaluator, outcome in trial_outcomes(left, children=children):
        if isinstance(outcome, EvaluatorFault):
            yield outcome
            continue
        if outcome is not None and warn is not None:
            warn(str(outcome))
        _mark_passed(evaluator)


def has_passed(evaluator: Evaluator) -> bool:
    """Return whether the evaluator, with its present sources, has passed its trial."""
    return code_cache.find(mark_of(evaluator)) is not None


def _outcomes_in_child(
    candidates: Sequence[Evaluator], limits: CpuLimits, children: OwnChildren
) -> Iterator[TrialOutcome]:
    """Yield outcomes from one child process, at least one."""
    yield from _results_in_child(_try_here, candidates, limits, children)


def _results_in_child(
    work: _Work,
    candidates: Sequence[Evaluator],
    limits: CpuLimits,
    children: OwnChildren,
) -> Iterator[Any]:
    """Yield the results of work on evaluators, of any type but Step, from one child process, at least one.

    If the child ends during the work, the last result is a fault of the evaluator in work.
    """
    receiver, sender = children.Pipe(duplex=False)
    names = [evaluator.name for evaluator in candidates]
    child = children.Process(target=_run_in_child, args=(work, names, sender, limits), daemon=True)
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
        yield EvaluatorFault(culprit.name, _end_of(child, step, limits), *place_of(culprit))
    child.join()


def _run_in_child(
    work: _Work,
    names: Sequence[str],
    sender: Connection,
    limits: CpuLimits,
) -> None:
    """Do the work in this process, and send each step and each result."""
    os.nice(_NICENESS)
    # The parent ends this process when the user interrupts both.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Evaluators may print, but standard output belongs to the parent.
    sys.stdout = sys.stderr
    work(names, sender.send, limits)


def _try_here(names: Sequence[str], send: Callable[[object], None], limits: CpuLimits) -> None:
    # This imports the compiler, and the parent may have no need of it.
    from searcher.trials.trial import run_trials

    for name in names:
        if name in evaluators():
            run_trials([evaluators()[name]], send, limits)
        else:
            send(fault_since_start(name))


def _examine_here(names: Sequence[str], send: Callable[[object], None], limits: CpuLimits) -> None:
    # A trial checks indices, so the time can't be measured in its process.
    from numba import config

    from searcher.trials.hints import hints_about
    from searcher.trials.speed import nanoseconds_of
    from searcher.trials.trial import limit_cpu_time

    for name in names:
        send(Step.MEASURE)
        send(nanoseconds_of(evaluators()[name]))
        config.BOUNDSCHECK = 1
        limit_cpu_time(limits.hints)
        send(hints_about(evaluators()[name]))


def _messages(receiver: Connection, child: SpawnProcess) -> Iterator[Any]:
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


def fault_since_start(name: str) -> EvaluatorFault:
    """Return the fault of an evaluator that this child process can't load, although its parent could.

    Its author has saved a faulty file since the parent's start.
    """
    found = next((fault for fault in faults() if fault.evaluator == name), None)
    return found or EvaluatorFault(name, "its package is no longer there", "unknown", 1)


def mark_of(evaluator: Evaluator) -> str:
    """Return the name of the cache file that marks the evaluator as passed by this trial."""
    return f"tried/{evaluator.name}-{code_cache.stamp_of(place_of(evaluator)[0])}-{_digest_of_trials()}"


@cache
def _digest_of_trials() -> str:
    return code_cache.digest_of_sources(Path(__file__).parent)


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
    for name, outcome, nanoseconds in _outcomes(names, progress):
        progress.close()
        speed = f", {nanoseconds:,.0f} ns an evaluation" if nanoseconds is not None else ""
        text = f"{outcome}{speed}" if outcome is not None else f"evaluator {name} is fine{speed}"
        line = msgspec.json.encode(outcome).decode() if as_json else text
        print(line, file=output, flush=True)
        passed = passed and not isinstance(outcome, EvaluatorFault)
    return passed


def _outcomes(
    names: Collection[str], progress: TrialProgress
) -> Iterator[tuple[str, TrialOutcome, float | None]]:
    """Yield names with outcomes, and the nanoseconds of an evaluation by evaluators without a fault.

    Evaluators that could not be loaded come first.
    """
    loaded, not_loaded = evaluators(), [(fault.evaluator, fault) for fault in faults()]
    if unknown := set(names) - loaded.keys() - {name for name, _ in not_loaded}:
        hint = nearest(min(unknown), loaded) or f"; {REINSTALL}"
        raise ValueError(f"no evaluator {min(unknown)!r}; valid: {', '.join(loaded)}{hint}")
    yield from ((name, fault, None) for name, fault in not_loaded if not names or name in names)
    chosen = [loaded[name] for name in names or loaded if name in loaded]
    outcomes = trial_outcomes(chosen)
    for number, evaluator in enumerate(chosen):
        progress(f"trying {evaluator.name}", number, len(chosen))
        outcome, nanoseconds = next(outcomes)[1], None
        if not isinstance(outcome, EvaluatorFault):
            outcome, nanoseconds = examined(evaluator, outcome)
        yield evaluator.name, outcome, nanoseconds


def examined(
    evaluator: Evaluator, outcome: Notice | None, limits: CpuLimits | None = None
) -> tuple[TrialOutcome, float | None]:
    """Return an outcome of a trial with further warnings, and the nanoseconds of an evaluation.

    An evaluator whose examination for warnings fails is valid: a warning says so.
    """
    limits = limits or CpuLimits()
    measured, *hints = _results_in_child(_examine_here, [evaluator], limits, OwnChildren())
    if isinstance(measured, EvaluatorFault):
        return measured, None
    file, line = place_of(evaluator)
    found = [(line, outcome.warning)] if outcome else []
    found += hints[0] if hints else [(line, f"could not be checked for all warnings within {limits.hints} s")]
    if measured >= _SLOW:
        found.append((line, "is slow, so searches with it reach a small depth"))
    if not found:
        return None, measured
    first = found[0][0]
    texts = (text if at == first else f"{text} (line {at})" for at, text in found)
    return Notice(evaluator.name, "; ".join(texts), file, first), measured
