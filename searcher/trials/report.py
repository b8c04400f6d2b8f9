"""The report of trials to an evaluator's author: a line for each evaluator, as text or as JSON."""

from collections.abc import Collection, Iterator
from typing import TextIO

import msgspec

from searcher.plugins.faults import Fault
from searcher.strategies import evaluators, faults
from searcher.trials.outcomes import TrialOutcome
from searcher.trials.runner import trial_outcomes


def report_trials(names: Collection[str], output: TextIO, as_json: bool) -> bool:
    """Try the evaluators of these names, by default all; write a line about each; return whether all pass.

    Raises ValueError, which lists the valid names, for an unknown name.
    """
    passed = True
    for name, outcome in _outcomes(names):
        text = str(outcome) if outcome is not None else f"evaluator {name} is fine"
        line = msgspec.json.encode(outcome).decode() if as_json else text
        print(line, file=output, flush=True)
        passed = passed and not isinstance(outcome, Fault)
    return passed


def _outcomes(names: Collection[str]) -> Iterator[tuple[str, TrialOutcome]]:
    """Yield names with outcomes, those of evaluators that could not be loaded first."""
    loaded, not_loaded = evaluators(), [(fault.evaluator, fault) for fault in faults()]
    if unknown := set(names) - loaded.keys() - {name for name, _ in not_loaded}:
        raise ValueError(f"no evaluator {min(unknown)!r}; valid: {', '.join(loaded)}")
    yield from (each for each in not_loaded if not names or each[0] in names)
    chosen = [loaded[name] for name in names or loaded if name in loaded]
    yield from ((evaluator.name, outcome) for evaluator, outcome in trial_outcomes(chosen))
