"""The report of trials to an evaluator's author: a line for each evaluator, as text or as JSON."""

from collections.abc import Collection, Iterator
from typing import Protocol, TextIO

import msgspec

from searcher.plugins.faults import Fault
from searcher.strategies import evaluators, faults
from searcher.trials.outcomes import TrialOutcome
from searcher.trials.runner import trial_outcomes


class TrialProgress(Protocol):
    """Shows progress until it is closed; it may be called again after that."""

    def __call__(self, label: str, done: int, total: int) -> None:
        """Show that `done` of `total` evaluators are tried, and the label."""

    def close(self) -> None:
        """Make room for other output."""


def report_trials(names: Collection[str], output: TextIO, as_json: bool, progress: TrialProgress) -> bool:
    """Try the evaluators of these names, by default all; write a line about each; return whether all pass.

    Raises ValueError, which lists the valid names, for an unknown name.
    """
    passed = True
    for name, outcome in _outcomes(names, progress):
        progress.close()
        text = str(outcome) if outcome is not None else f"evaluator {name} is fine"
        line = msgspec.json.encode(outcome).decode() if as_json else text
        print(line, file=output, flush=True)
        passed = passed and not isinstance(outcome, Fault)
    return passed


def _outcomes(names: Collection[str], progress: TrialProgress) -> Iterator[tuple[str, TrialOutcome]]:
    """Yield names with outcomes, those of evaluators that could not be loaded first."""
    loaded, not_loaded = evaluators(), [(fault.evaluator, fault) for fault in faults()]
    if unknown := set(names) - loaded.keys() - {name for name, _ in not_loaded}:
        raise ValueError(f"no evaluator {min(unknown)!r}; valid: {', '.join(loaded)}")
    yield from (each for each in not_loaded if not names or each[0] in names)
    chosen = [loaded[name] for name in names or loaded if name in loaded]
    outcomes = trial_outcomes(chosen)
    for number, evaluator in enumerate(chosen):
        progress(f"trying {evaluator.name}", number, len(chosen))
        yield evaluator.name, next(outcomes)[1]
