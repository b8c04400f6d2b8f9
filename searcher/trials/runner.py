"""Trials of evaluators in child processes, the record of passed trials, and the report to the authors.

Faulty compiled code can end the process that runs it, so trials run in child processes. A mark next to the
compiled code records that an evaluator has passed. It is tried again when its sources or the trial change.
"""

import math
import os
import resource
import signal
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from searcher.engine.jit import code_cache
from searcher.engine.jit.emission import CompilerMissingError, compiler_is_installed
from searcher.interface import Evaluator, Progress
from searcher.plugins.discovery import REINSTALL, place_of
from searcher.plugins.faults import EvaluatorFault
from searcher.plugins.mistakes import nearest
from searcher.strategies import evaluators, faults
from searcher.trials.outcome import LIMITS, Notice, Step, TrialOutcome
from searcher.trials.own_children import OwnChildren

_SLOW = 5_000.0
"""Nanoseconds of an evaluation that are worth a warning: some ten times what the slowest of ours takes."""


PATIENCE = 120.0
"""Seconds for a step of a trial, even if it uses no CPU time."""

_NICENESS = 10
"""The niceness of trials, because a searcher may run them during games."""


def trial_outcomes(
    candidates: Iterable[Evaluator],
    limits: Mapping[Step, int] = LIMITS,
    children: OwnChildren | None = None,
    with_hints: bool = False,
) -> Iterator[tuple[Evaluator, TrialOutcome]]:
    """Try evaluators in a child process. If the process ends, begin a new one. Yield each known outcome.

    The processes are added to `children`. With hints, the outcomes have the warnings that take seconds.
    Without the compiler, every outcome is a fault.
    """
    children = children or OwnChildren()
    left = list(candidates)
    if not compiler_is_installed():
        yield from (
            (each, EvaluatorFault(each.name, str(CompilerMissingError()), *place_of(each))) for each in left
        )
        return
    while left:
        for outcome in _outcomes_in_child(tuple(left), limits, children, with_hints):
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
    candidates: Sequence[Evaluator], limits: Mapping[Step, int], children: OwnChildren, with_hints: bool
) -> Iterator[TrialOutcome]:
    """Yield outcomes from one child process, at least one.

    If the child ends during a trial, the last outcome is about the evaluator on trial.
    """
    receiver, sender = children.Pipe(duplex=False)
    names = [evaluator.name for evaluator in candidates]
    arguments = (names, sender, limits, with_hints)
    child = children.Process(target=_try_here, args=arguments, daemon=True)
    child.start()
    sender.close()
    step, done = Step.COMPILE, 0
    for message in _messages(receiver, child):
        if isinstance(message, Step):
            step = message
        else:
            step, done = Step.COMPILE, done + 1
            yield message
    if done < len(candidates):
        culprit, end = candidates[done], _end_of(child, step, limits)
        place = place_of(culprit)
        if step is Step.HINTS:
            # Its trial has passed.
            yield Notice(culprit.name, f"could not be checked for all warnings: {end}", *place)
        else:
            yield EvaluatorFault(culprit.name, end, *place)
    child.join()


def _try_here(names: Sequence[str], sender: Connection, limits: Mapping[Step, int], with_hints: bool) -> None:
    """Try evaluators in this process, and send each step and each outcome."""
    os.nice(_NICENESS)
    # The parent ends this process when the user interrupts both.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Evaluators may print, but standard output belongs to the parent.
    sys.stdout = sys.stderr
    # These import the compiler, and the parent may have no need of it.
    from searcher.trials.hints import hints_about
    from searcher.trials.trial import trial_of

    def begin(step: Step) -> None:
        sender.send(step)
        _limit_cpu_time(limits[step])

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for name in names:
        evaluator = evaluators().get(name)
        outcome = fault_since_start(name) if evaluator is None else trial_of(evaluator, begin)
        if with_hints and evaluator is not None and not isinstance(outcome, EvaluatorFault):
            begin(Step.HINTS)
            for line, text in hints_about(evaluator):
                outcome = _warned(evaluator, outcome, line, text)
        sender.send(outcome)


def _limit_cpu_time(seconds: int) -> None:
    """End the process after this many more seconds of CPU time, even if its parent is gone."""
    used = math.ceil(sum(os.times()[:2]))
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (used + seconds, hard))


def _warned(evaluator: Evaluator, outcome: Notice | None, line: int, text: str) -> Notice:
    """Return an outcome with a further warning about a line."""
    if outcome is None:
        return Notice(evaluator.name, text, place_of(evaluator)[0], line)
    shown = text if line == outcome.line else f"{text} (line {line})"
    return Notice(evaluator.name, f"{outcome.warning}; {shown}", outcome.file, outcome.line)


def _messages(receiver: Connection, child: SpawnProcess) -> Iterator[Any]:
    """Yield the messages of a child until it ends. End it after PATIENCE without a message."""
    with receiver, suppress(EOFError):
        while receiver.poll(PATIENCE):
            yield receiver.recv()
        # A step that sleeps never reaches its limit of CPU time, so end it by the same signal.
        os.kill(child.ident or 0, signal.SIGXCPU)


def _end_of(child: SpawnProcess, step: Step, limits: Mapping[Step, int]) -> str:
    """Wait for the end of a child, and return it as the fault of the evaluator on trial."""
    child.join()
    code = child.exitcode or 0
    if code == -signal.SIGXCPU:
        within = "" if step is Step.EVALUATE else f" within {limits[step]} s"
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


def tried_by_name(
    names: Collection[str], progress: Progress
) -> Iterator[tuple[str, TrialOutcome, float | None]]:
    """Try the evaluators of these names, by default all, and look for all warnings.

    Yield the name, the outcome, and the nanoseconds of an evaluation without a fault. Evaluators that could
    not be loaded come first. Raises ValueError with the valid names for an unknown name.
    """
    loaded, not_loaded = evaluators(), [(fault.evaluator, fault) for fault in faults()]
    if unknown := set(names) - loaded.keys() - {name for name, _ in not_loaded}:
        hint = nearest(min(unknown), loaded) or f"; {REINSTALL}"
        raise ValueError(f"no evaluator {min(unknown)!r}; valid: {', '.join(loaded)}{hint}")
    yield from ((name, fault, None) for name, fault in not_loaded if not names or name in names)
    chosen = [loaded[name] for name in names or loaded if name in loaded]
    outcomes = trial_outcomes(chosen, with_hints=True)
    for number, evaluator in enumerate(chosen):
        progress(f"trying {evaluator.name}", number, len(chosen))
        outcome, nanoseconds = next(outcomes)[1], None
        if not isinstance(outcome, EvaluatorFault):
            # A trial checks indices, so the time can't be measured in its process.
            from searcher.trials.speed import nanoseconds_of

            nanoseconds = nanoseconds_of(evaluator)
            if nanoseconds >= _SLOW:
                slow = "is slow, so searches with it reach a small depth"
                outcome = _warned(evaluator, outcome, place_of(evaluator)[1], slow)
        yield evaluator.name, outcome, nanoseconds
