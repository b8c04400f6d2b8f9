"""Trials of the evaluators of parts, before searches use them."""

from collections.abc import Iterable, Iterator

from searcher.interface import Evaluator, Progress
from searcher.plugins.faults import Fault
from searcher.precompile.parts import Part
from searcher.strategies import evaluators, is_trusted
from searcher.trials.runner import has_passed, trial_faults


def untried(parts: Iterable[Part]) -> list[Evaluator]:
    """Return the evaluators that have not passed a trial and need one."""
    names = dict.fromkeys(part.evaluator for part in parts if not is_trusted(part.evaluator))
    return [evaluators()[name] for name in names if not has_passed(evaluators()[name])]


def try_evaluators(parts: Iterable[Part], progress: Progress) -> Iterator[Fault]:
    """Try the evaluators of the parts that have not passed yet; yield the faults that are found."""
    if candidates := untried(parts):
        names = ", ".join(evaluator.name for evaluator in candidates)
        progress(f"trying {names}", 0, len(candidates))
        yield from trial_faults(candidates)
