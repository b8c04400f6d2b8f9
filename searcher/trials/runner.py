"""Trials of evaluators in child processes, and the record of those that passed.

Faulty compiled code can end its process, so trials run in other processes. A mark next to the
compiled code records that an evaluator has passed; it is tried again when its sources change.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from searcher.engine.jit.code_cache import CACHE_DIRECTORY, stamp_of
from searcher.interface import Evaluator
from searcher.plugins.discovery import place_of
from searcher.plugins.faults import Fault

PATIENCE = 120.0
"""Seconds for a process that tries all remaining evaluators."""


@dataclass(frozen=True, slots=True)
class _Run:
    """A child process that tried evaluators in order, until it was done or died.

    `outcomes` has the fault, or None, of each evaluator that it completed.
    """

    outcomes: list[Fault | None]
    end: str


def trial_faults(candidates: Iterable[Evaluator]) -> Iterator[Fault]:
    """Try the evaluators that have not passed yet, in child processes; yield the faults that are found."""
    left = [evaluator for evaluator in candidates if not has_passed(evaluator)]
    while left:
        run = _run_trials([evaluator.name for evaluator in left])
        outcomes = run.outcomes
        if len(outcomes) < len(left):
            # The process ended during the trial of the first evaluator without an outcome.
            culprit = left[len(outcomes)]
            outcomes = [*outcomes, Fault(culprit.name, run.end, *place_of(culprit))]
        for evaluator, fault in zip(left, outcomes, strict=False):
            if fault is not None:
                yield fault
            else:
                _mark_passed(evaluator)
        left = left[len(outcomes) :]


def has_passed(evaluator: Evaluator) -> bool:
    """Return whether the evaluator, with its present sources, has passed its trial."""
    return _mark_of(evaluator).exists()


def _run_trials(names: list[str]) -> _Run:
    command = [sys.executable, "-m", "searcher", "try", "--json", *names]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired as error:
        output, end = (error.stdout or b"").decode(), f"was not tried within {PATIENCE:.0f} s"
    else:
        output, end = done.stdout, _end_of(done)
    decoder = msgspec.json.Decoder(Fault | None)
    return _Run([decoder.decode(line) for line in output.splitlines()], end)


def _end_of(done: subprocess.CompletedProcess[str]) -> str:
    """Return how a process ended, as the fault of the evaluator that it was trying."""
    if done.returncode == -signal.SIGXCPU:
        return "evaluate does not end"
    if done.returncode < 0:
        return f"evaluate ends its process: {signal.strsignal(-done.returncode)}"
    lines = done.stderr.strip().splitlines()
    return f"ends its process with {done.returncode}: {lines[-1] if lines else 'no message'}"


def _mark_of(evaluator: Evaluator) -> Path:
    """Return the file that marks that the evaluator has passed."""
    # Without a cache the folder is the null device, in which no file exists.
    folder = CACHE_DIRECTORY or Path(os.devnull)
    return folder / "tried" / f"{evaluator.name}-{stamp_of(place_of(evaluator)[0])}"


def _mark_passed(evaluator: Evaluator) -> None:
    # If the mark can't be written, the trial is repeated at each start.
    with suppress(OSError):
        _mark_of(evaluator).parent.mkdir(exist_ok=True)
        _mark_of(evaluator).touch()
