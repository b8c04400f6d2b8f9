"""Whether evaluators may play: has them tried by processes of their own, and remembers which passed.

Compiled code that goes astray can end its process, so a trial is not made in this one. What has passed is
noted beside the compiled code; it is tried again when its sources change.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from searcher.engine.jit.code_cache import CACHE_DIRECTORY, stamp_of
from searcher.interface import Evaluator, Strategy
from searcher.plugins.discovery import place_of
from searcher.plugins.faults import Fault, FaultyEvaluatorError
from searcher.strategies import DEFAULT, evaluators

PATIENCE = 120.0
"""Seconds for a trial of all evaluators that are left to try."""


def faults_in(candidates: Iterable[Evaluator]) -> Iterator[Fault]:
    """What is wrong with evaluators that have not passed yet, as processes of their own find out."""
    left = [evaluator for evaluator in candidates if not has_passed(evaluator)]
    while left:
        verdicts, end = _run_trial([evaluator.name for evaluator in left])
        if len(verdicts) < len(left):
            # It said nothing of the one that ended it.
            culprit = left[len(verdicts)]
            verdicts.append(Fault(culprit.name, end, *place_of(culprit)))
        for evaluator, fault in zip(left, verdicts, strict=False):
            if fault is not None:
                yield fault
            else:
                _note(evaluator)
        left = left[len(verdicts) :]


def require_fit(strategy: Strategy) -> None:
    """Raises FaultyEvaluatorError if the strategy's evaluator fails its trial.

    For those who search without a searcher that has tried all of them. The default one is ours, and passes.
    """
    if strategy.evaluator != DEFAULT.evaluator:
        for fault in faults_in([evaluators()[strategy.evaluator]]):
            raise FaultyEvaluatorError(fault)


def has_passed(evaluator: Evaluator) -> bool:
    """Whether it has been tried as it is now, and nothing was wrong."""
    return _mark_of(evaluator).exists()


def _run_trial(names: list[str]) -> tuple[list[Fault | None], str]:
    """The verdicts on the first of the evaluators, as far as it came, and how it ended."""
    command = [sys.executable, "-m", "searcher", "try", "--json", *names]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired as error:
        output, end = (error.stdout or b"").decode(), f"was not tried within {PATIENCE:.0f} s"
    else:
        output, end = done.stdout, _end_of(done)
    decoder = msgspec.json.Decoder(Fault | None)
    return [decoder.decode(line) for line in output.splitlines()], end


def _end_of(done: subprocess.CompletedProcess[str]) -> str:
    if done.returncode == -signal.SIGXCPU:
        return "evaluate does not end"
    if done.returncode < 0:
        return f"evaluate ends its process: {signal.strsignal(-done.returncode)}"
    said = done.stderr.strip().splitlines()
    return f"ends its process with {done.returncode}: {said[-1] if said else 'no word'}"


def _mark_of(evaluator: Evaluator) -> Path:
    """The file that says that the evaluator has passed."""
    # Below no file can another one be.
    folder = CACHE_DIRECTORY or Path(os.devnull)
    return folder / "tried" / f"{evaluator.name}-{stamp_of(place_of(evaluator)[0])}"


def _note(evaluator: Evaluator) -> None:
    # Without a place for it the trial is made at each start.
    with suppress(OSError):
        _mark_of(evaluator).parent.mkdir(exist_ok=True)
        _mark_of(evaluator).touch()
