"""Preparation of the code that a command runs in its own process or in its workers."""

from collections.abc import Iterable, Sequence
from contextlib import closing

from searcher.plugins.faults import FaultyEvaluatorError
from searcher.precompile.code import Code, missing_pieces
from searcher.precompile.evaluator_trials import try_evaluators, untried
from searcher.precompile.parts import Part


def prepare_code(codes: Iterable[Code]) -> None:
    """Load code. First try evaluators and compile what is missing from the cache, on all cores.

    Standard error shows the progress; if nothing is missing, nothing is shown. Raises FaultyEvaluatorError
    if an evaluator can't play.
    """
    needed = list(dict.fromkeys(codes))
    parts = [code for code in needed if isinstance(code, Part)]
    missing = missing_pieces(needed)
    if missing or untried(parts):
        _try_and_compile(parts, missing)
    for code in needed:
        code.load()


def _try_and_compile(parts: Sequence[Part], missing: Sequence[Code]) -> None:
    # A command whose code is all cached should not wait for these imports.
    from searcher.precompile.children import compile_all
    from searcher.precompile.progress import ShownProgress

    with closing(ShownProgress()) as progress:
        for fault in try_evaluators(parts, progress):
            raise FaultyEvaluatorError(fault)
        for piece in compile_all(missing, progress):
            piece.load()
