"""The code that many tests run, compiled before them: `python -m tests.support.compiled`.

One process compiles all code of a board shape. Test processes that compiled what they need would repeat the
work for the functions that this code shares. Likewise, one process compiles the modules of the tests.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext

from searcher.engine.rules.records import Shape
from searcher.precompile.children import compile_all
from searcher.precompile.code_units import CodeUnit, StrategyCode, all_codes, by_shape, missing_units
from searcher.precompile.prepare import ShownProgress
from searcher.strategies import AUTO
from tests.support.services import COMPILED_WITHIN, ROOT

FEW_SHAPES = (Shape(11, 11, 2), Shape(25, 25, 8))
"""The shapes of searches in test processes. They hold every position, and their code differs: only boards
for more than two snakes have code for the snakes that are left."""

SERVED_SHAPES = (*FEW_SHAPES, Shape(11, 11, 4), Shape(11, 11, 8))
"""The shapes of games that services play in tests. Without those of 11x11 cells, a searcher is not ready."""


def needed() -> list[CodeUnit]:
    """Return the code of the default strategy for the served shapes.

    The code of the other strategies is for the few shapes of searches in test processes.
    """
    here = [code for code in all_codes() if code.shape in FEW_SHAPES]
    default = [
        StrategyCode(each.search, each.evaluator, shape)
        for shape in SERVED_SHAPES
        for each in AUTO.strategies
    ]
    return list(dict.fromkeys((*here, *default)))


def are_cached(codes: list[CodeUnit]) -> bool:
    """Return whether nothing has to be compiled."""
    return all(code.is_cached() for code in codes)


def compile_needed() -> None:
    """Compile what is missing, in a process of its own."""
    command = [sys.executable, "-m", "tests.support.compiled"]
    subprocess.run(command, cwd=ROOT, check=True, timeout=COMPILED_WITHIN)


def main() -> None:
    """Compile the code that is missing from the cache, on all cores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tests", action="store_true", help="compile the modules of the tests, too")
    options = parser.parse_args()
    codes = needed()
    if not are_cached(codes):
        with _collecting() if options.tests else nullcontext(), closing(ShownProgress()) as progress:
            for _ in compile_all(by_shape(missing_units(codes)), progress):
                pass


@contextmanager
def _collecting() -> Iterator[None]:
    """Collect the tests meanwhile, so that pytest stores the code of their modules."""
    command = (sys.executable, "-m", "pytest", "--collect-only", "--quiet", "--numprocesses", "0")
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL):
        yield


if __name__ == "__main__":
    main()
