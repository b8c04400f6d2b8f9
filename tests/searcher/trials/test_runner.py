"""Trials in child processes, and the record of evaluators that passed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from searcher.plugins.faults import Fault
from searcher.strategies import evaluators
from searcher.trials import runner
from searcher.trials.runner import has_passed, trial_faults

CANDIDATES = [evaluators()[name] for name in ("area", "length", "slither")]

FAULT = Fault("area", "it fails", "area.py", 1)


@pytest.fixture(autouse=True)
def marks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A cache of the test's own, in which no evaluator has passed."""
    monkeypatch.setattr(runner, "_mark_of", lambda evaluator: tmp_path / evaluator.name)


def outcomes(monkeypatch: pytest.MonkeyPatch, *runs: list[Fault | None]) -> list[list[str]]:
    """Make child processes end with these outcomes; return the list of the names that they try."""
    tried: list[list[str]] = []
    left: Iterator[list[Fault | None]] = iter(runs)

    def run_trials(names: list[str]) -> runner._Run:
        tried.append(names)
        return runner._Run(next(left), "ended")

    monkeypatch.setattr(runner, "_run_trials", run_trials)
    return tried


def test_evaluators_that_pass_are_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the evaluator with a fault is tried again."""
    tried = outcomes(monkeypatch, [FAULT, None, None], [FAULT])
    assert list(trial_faults(CANDIDATES)) == [FAULT]
    assert [has_passed(evaluator) for evaluator in CANDIDATES] == [False, True, True]
    assert list(trial_faults(CANDIDATES)) == [FAULT]
    assert tried == [["area", "length", "slither"], ["area"]]


def test_the_first_evaluator_without_an_outcome_ended_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """That is its fault, and another process tries the evaluators after it."""
    tried = outcomes(monkeypatch, [None], [None])
    (fault,) = trial_faults(CANDIDATES)
    assert (fault.evaluator, fault.reason) == ("length", "ended")
    assert fault.file.endswith("length.py")
    assert tried == [["area", "length", "slither"], ["slither"]]
