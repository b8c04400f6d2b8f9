"""The record of evaluators that passed their trials in child processes."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from searcher.interface import Evaluator
from searcher.plugins.faults import EvaluatorFault
from searcher.strategies import evaluators
from searcher.trials import runner
from searcher.trials.outcome import Notice, TrialOutcome
from searcher.trials.runner import has_passed, trial_faults

CANDIDATES = [evaluators()[name] for name in ("area", "length", "solo")]

FAULT = EvaluatorFault("area", "it fails", "area.py", 1)
NOTICE = Notice("length", "it is useless", "length.py", 1)


@pytest.fixture(autouse=True)
def marks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A cache of the test's own, in which no evaluator has passed."""
    monkeypatch.setattr(runner, "mark_of", lambda evaluator: tmp_path / evaluator.name)


def outcomes(monkeypatch: pytest.MonkeyPatch, *children: list[TrialOutcome]) -> list[list[str]]:
    """Make child processes yield these outcomes; return the list of the names that they try."""
    tried: list[list[str]] = []
    left = iter(children)

    def outcomes_in_child(candidates: Sequence[Evaluator], *_: object) -> Iterator[TrialOutcome]:
        tried.append([evaluator.name for evaluator in candidates])
        yield from next(left)

    monkeypatch.setattr(runner, "_outcomes_in_child", outcomes_in_child)
    return tried


def test_evaluators_that_pass_are_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the evaluator with a fault is tried again; one with a notice has passed."""
    tried = outcomes(monkeypatch, [FAULT, NOTICE, None], [FAULT])
    assert list(trial_faults(CANDIDATES)) == [FAULT]
    assert [has_passed(evaluator) for evaluator in CANDIDATES] == [False, True, True]
    assert list(trial_faults(CANDIDATES)) == [FAULT]
    assert tried == [["area", "length", "solo"], ["area"]]


def test_warnings_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trial before a game reports them too, once for each evaluator."""
    outcomes(monkeypatch, [None, NOTICE, None])
    warnings: list[str] = []
    assert not list(trial_faults(CANDIDATES, warn=warnings.append))
    assert not list(trial_faults(CANDIDATES, warn=warnings.append))
    assert warnings == [str(NOTICE)]


def test_another_process_tries_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that ends early leaves the evaluators after its last outcome to the next one."""
    tried = outcomes(monkeypatch, [None, FAULT], [None])
    assert list(trial_faults(CANDIDATES)) == [FAULT]
    assert tried == [["area", "length", "solo"], ["solo"]]
