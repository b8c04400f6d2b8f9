"""Preparation of code by commands: they try evaluators, compile missing code, and check or copy all code."""

import shutil
import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from searcher.engine.jit.code_cache import TARGETS, cache_root, folder_in
from searcher.interface import Evaluator, Progress, StrategyChoice
from searcher.plugins.faults import EvaluatorFault, FaultyEvaluatorError
from searcher.precompile.code_units import CodeUnit, all_codes, by_shape, missing_units
from searcher.strategies import evaluators, faults, is_trusted, offer
from searcher.trials.runner import has_passed, mark_of, trial_faults


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
        """Show that `done` of `total` functions are compiled, or evaluators tried, and the label."""
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


def untried(names: Iterable[str | None]) -> list[Evaluator]:
    """Return the evaluators of these names that have not passed a trial and need one."""
    unique = dict.fromkeys(name for name in names if name is not None and not is_trusted(name))
    return [evaluators()[name] for name in unique if not has_passed(evaluators()[name])]


def compile_missing(codes: Collection[CodeUnit], progress: Progress) -> Iterator[EvaluatorFault]:
    """Try evaluators, and compile code that is missing from the cache, on all cores. Yield the faults.

    Code of an evaluator that fails its trial is not compiled. Even without a cache, code is compiled to find
    errors.
    """
    # A command with all its code in the cache should not wait for this import.
    from searcher.precompile.children import compile_all

    failed = set()
    if candidates := untried(code.evaluator for code in codes):
        label = ", ".join(evaluator.name for evaluator in candidates)
        progress(f"trying {label}", 0, len(candidates))
        for fault in trial_faults(candidates):
            failed.add(fault.evaluator)
            yield fault
    missing = missing_units(code for code in codes if code.evaluator not in failed)
    for code in compile_all(by_shape(missing), progress):
        for unit in code.units:
            try:
                unit.load()
            except FaultyEvaluatorError as error:
                yield error.fault


def prepare_code(codes: Iterable[CodeUnit]) -> None:
    """Load code. First try its evaluators and compile what is missing.

    Standard error shows the progress if code is missing. Raises FaultyEvaluatorError if an evaluator can't
    play.
    """
    needed = list(dict.fromkeys(codes))
    if missing_units(needed) or untried(code.evaluator for code in needed):
        with closing(ShownProgress()) as progress:
            for fault in compile_missing(needed, progress):
                raise FaultyEvaluatorError(fault)
    for code in needed:
        code.load()


def warm_everything(progress: Progress, only: Collection[StrategyChoice] = ()) -> tuple[EvaluatorFault, ...]:
    """Compile all code into the cache, and return the faults of the evaluators that are left out.

    With `only`, compile the code of these strategies and of the default strategy.
    """
    found = (*faults(), *compile_missing(all_codes(only), progress))
    return tuple({fault.evaluator: fault for fault in found}.values())


def missing_from_cache(only: Collection[StrategyChoice] = ()) -> list[str]:
    """Return a line for each uncompiled unit, untried evaluator and faulty evaluator. Compile nothing.

    With `only`, check these strategies and the default strategy. Units in the cache are loaded, so that a
    unit with unusable code counts as missing.
    """
    units = all_codes(only)
    missing = [f"{unit} is not compiled" for unit in units if not unit.is_cached()]
    unusable = [f"{unit} is compiled again" for unit in units if unit.is_cached() and not unit.is_loadable()]
    not_passed = [
        f"evaluator {evaluator.name} has not passed its trial"
        for evaluator in untried(offer(only).evaluators)
    ]
    return [*map(str, faults()), *missing, *unusable, *not_passed]


def copy_code(root: Path, only: Collection[StrategyChoice] = ()) -> int:
    """Copy all code of an offer, for all targets, to another root folder. Return the number of files.

    Raises FileNotFoundError if the cache lacks code for one of the targets.
    """
    names = sorted(set(_names(only)))
    for target in TARGETS:
        folder = folder_in(root, target)
        shutil.rmtree(folder, ignore_errors=True)
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(folder_in(cache_root(), target) / name, folder / name)
    return len(TARGETS) * len(names)


def _names(only: Collection[StrategyChoice]) -> Iterator[str]:
    """Yield the names of the files of functions, and of the marks of evaluators that passed trials."""
    for unit in all_codes(only):
        yield from (function.name for function in unit.functions)
    for evaluator in offer(only).evaluators.values():
        if not is_trusted(evaluator.name):
            yield mark_of(evaluator)
