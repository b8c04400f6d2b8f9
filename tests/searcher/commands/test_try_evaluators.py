"""The command `try`: its lines, as text and as JSON, and its exit code."""

import json

import pytest

from searcher.plugins.faults import EvaluatorFault
from searcher.trials import runner
from searcher.trials.outcome import Notice, TrialOutcome
from tests.searcher.command_line import assert_refused, call

FAULT = EvaluatorFault("area", "it fails", "area.py", 1)
NOTICE = Notice("length", "it is useless", "length.py", 1)


@pytest.mark.parametrize(("last", "status"), [(None, 0), (FAULT, 1)])
def test_only_a_fault_fails(last: TrialOutcome, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Evaluators with a warning have passed. Each evaluator has a line."""
    tried = [("length", NOTICE, 57.0), ("solo", None, 1_234.0), ("area", last, None)]
    monkeypatch.setattr(runner, "tried_by_name", lambda *_: iter(tried))
    done = call("try")
    assert done.returncode == status
    assert done.stdout.splitlines() == [
        "evaluator length runs, but it is useless (length.py:1), 57 ns an evaluation",
        "evaluator solo is fine, 1,234 ns an evaluation",
        str(FAULT) if last else "evaluator area is fine",
    ]
    lines = [json.loads(line) for line in call("try", "--json").stdout.splitlines()]
    assert lines[0] == {"evaluator": "length", "warning": "it is useless", "file": "length.py", "line": 1}
    assert lines[1] is None
    assert last is None or lines[2]["reason"] == "it fails"


def test_an_unknown_evaluator_is_refused() -> None:
    """The error has the nearest name."""
    assert_refused(call("try", "lenght"), "no evaluator 'lenght'", "nearest: length")
