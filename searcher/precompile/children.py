"""Compiling in child processes that end with their parent."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from operator import itemgetter
from typing import TypeVar

from searcher.engine.jit.code_cache import can_store
from searcher.engine.jit.function import CompilerMissingError, compiler_is_installed
from searcher.interface import Progress
from searcher.plugins.faults import FaultyEvaluatorError
from searcher.precompile.code_units import CodeUnit
from searcher.trials.own_children import OwnChildren

_Code = TypeVar("_Code", bound=CodeUnit)


def compile_all(
    codes: Sequence[_Code],
    progress: Progress,
    niceness: int = 0,
    choose: Callable[[Sequence[_Code]], _Code] = itemgetter(0),
    children: OwnChildren | None = None,
) -> Iterator[_Code]:
    """Yield each code as soon as a child process has compiled it into the cache. Each core has one child.

    The child processes are added to `children`. `choose` returns the next of several codes to compile. The
    caller loads the code and finds its faults. Without a cache, or after the death of a child process, the
    remaining codes are yielded immediately. The caller then compiles them when it loads them. Raises
    CompilerMissingError if there are codes and no compiler.
    """
    if codes and not compiler_is_installed():
        raise CompilerMissingError
    left = dict.fromkeys(codes)
    if codes:
        progress(f"compiling {choose(codes)}", 0, len(codes))
    try:
        in_children = _compile_in_children(codes, niceness, choose, children or OwnChildren())
        for code in in_children if codes and can_store() else ():
            del left[code]
            progress(f"compiled {code}", len(codes) - len(left), len(codes))
            yield code
    except BrokenProcessPool:
        label = "a compiling process died; compiling in this process"
        progress(label, len(codes) - len(left), len(codes))
    for number, code in enumerate(left, len(codes) - len(left) + 1):
        yield code
        progress(f"compiled {code}", number, len(codes))


def _compile_in_children(
    codes: Sequence[_Code],
    niceness: int,
    choose: Callable[[Sequence[_Code]], _Code],
    children: OwnChildren,
) -> Iterator[_Code]:
    """Yield each code once a child has compiled it. Raises BrokenProcessPool if a child dies."""
    most = min(len(codes), os.cpu_count() or 1)
    with ProcessPoolExecutor(most, children, _start_child, (niceness,)) as pool, _killed_on_error(children):
        left = list(codes)
        running: dict[Future[None], _Code] = {}
        while left or running:
            # A unit is chosen only once a child is free, because by then searches may need another one.
            while left and len(running) < most:
                code = choose(left)
                left.remove(code)
                with uninterrupted():
                    running[pool.submit(_compile, code)] = code
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                future.result()
                yield running.pop(future)


def _compile(code: CodeUnit) -> None:
    # The parent reports a faulty evaluator when it loads the code.
    with suppress(FaultyEvaluatorError):
        code.load()


@contextmanager
def _killed_on_error(children: OwnChildren) -> Iterator[None]:
    """Kill the child processes if the block ends early. Otherwise the pool would wait for their work."""
    try:
        yield
    except BaseException:
        children.kill()
        raise


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ignore Ctrl-C in the block. Processes started there always ignore it. Their parent ends them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_child(niceness: int) -> None:
    os.nice(niceness)
    end_with_parent()


def end_with_parent() -> None:
    """Make this child process end with its parent, even if the parent is killed.

    Otherwise the child of a killed process would wait for work forever.
    """
    threading.Thread(target=_end_with_parent, name="end-with-parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
