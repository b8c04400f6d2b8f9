"""Preparation of the code that a command runs: it tries evaluators and compiles missing code."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import closing

from searcher.interface import Evaluator, Progress
from searcher.plugins.faults import EvaluatorFault, FaultyEvaluatorError
from searcher.precompile.code_units import CodeUnit, missing_units
from searcher.strategies import evaluators, is_trusted
from searcher.trials.runner import has_passed, trial_faults


class ShownProgress:
    """A progress bar on a terminal, or lines in any other output. One thread at a time may use it."""

    def __init__(self) -> None:
        # A command with all its code in the cache should not wait for this import.
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        from battlesnake_search.common.console import Console

        console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._bar = Bar(*columns, console=console, transient=True) if console.is_terminal else None
        self._task = None if self._bar is None else self._bar.add_task("", total=None)

    def __call__(self, label: str, done: int, total: int) -> None:
        """Show that `done` of `total` parts are compiled, and the label."""
        if self._bar is None or self._task is None:
            print(f"[{done}/{total}] {label}", file=sys.stderr, flush=True)
            return
        self._bar.update(self._task, description=label, completed=done, total=total)
        self._bar.start()
        if done >= total:
            self._bar.stop()

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()


def untried(names: Iterable[str]) -> list[Evaluator]:
    """Return the evaluators of these names that have not passed a trial and need one."""
    unique = dict.fromkeys(name for name in names if not is_trusted(name))
    return [evaluators()[name] for name in unique if not has_passed(evaluators()[name])]


def try_evaluators(names: Iterable[str], progress: Progress) -> Iterator[EvaluatorFault]:
    """Try the evaluators of these names that have not passed yet. Yield the faults."""
    if candidates := untried(names):
        label = ", ".join(evaluator.name for evaluator in candidates)
        progress(f"trying {label}", 0, len(candidates))
        yield from trial_faults(candidates)


def prepare_code(codes: Iterable[CodeUnit]) -> None:
    """Load code. First try evaluators and compile code that is missing from the cache, on all cores.

    Standard error shows the progress if code is missing. Raises FaultyEvaluatorError
    if an evaluator can't play.
    """
    needed = list(dict.fromkeys(codes))
    names = [code.evaluator for code in needed if code.evaluator]
    missing = missing_units(needed)
    if missing or untried(names):
        # A command with all its code in the cache should not wait for this import.
        from searcher.precompile.children import compile_all

        with closing(ShownProgress()) as progress:
            for fault in try_evaluators(names, progress):
                raise FaultyEvaluatorError(fault)
            for unit in compile_all(missing, progress):
                unit.load()
    for code in needed:
        code.load()
