"""Code that is built with the project: copied out of the cache, for machines without a compiler."""

import shutil
from collections.abc import Collection, Iterator
from pathlib import Path

from searcher import strategies
from searcher.engine.jit.code_cache import TARGETS, cache_root, folder_in
from searcher.interface import StrategyChoice
from searcher.precompile.parts import all_parts
from searcher.strategies import is_trusted
from searcher.trials.runner import mark_of


def copy_code(root: Path, only: Collection[StrategyChoice] = ()) -> int:
    """Copy all code of an offer, for all targets, to another root folder; return the number of files.

    Raises FileNotFoundError if something is not in the cache for one of the targets.
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
    """Yield the names of the files: of the functions, and of the marks of evaluators that passed trials."""
    for part in all_parts(only):
        yield from (function.name for function in part.functions)
    for evaluator in strategies.offer(only).evaluators.values():
        if not is_trusted(evaluator.name):
            yield mark_of(evaluator)
