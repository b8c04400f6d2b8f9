"""Compiling in child processes that end with their parent."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress

from battlesnake_search.common.cores import available_cores
from searcher.engine.jit.code_cache import can_store
from searcher.engine.jit.emission import CompilerMissingError, compiler_is_installed
from searcher.interface import Progress
from searcher.plugins.faults import FaultyEvaluatorError
from searcher.precompile.code_units import CodeUnit
from searcher.trials.own_children import OwnChildren

_LOOK_EVERY = 0.1
"""Seconds between two looks at the units while a child process is free."""


def compile_all(
    codes: list[CodeUnit],
    progress: Progress,
    niceness: int = 0,
    children: OwnChildren | None = None,
) -> Iterator[CodeUnit]:
    """Yield each unit once a child process has compiled it into the cache, with one child for each core.

    The units are taken from the front of the list. Meanwhile other threads may put more there. The child
    processes are among `children`. The caller loads the unit and finds its faults.
    Without a cache, or once a child process has died, yield the units that are left at once: the caller
    compiles them by loading them. Raises CompilerMissingError if there are units and no compiler.
    """
    if not codes:
        return
    if not compiler_is_installed():
        raise CompilerMissingError
    done = 0
    started: list[CodeUnit] = []

    def show(label: str) -> None:
        progress(label, done, done + _count(*started, *codes))

    show(f"compiling {codes[0]}")
    if can_store():
        try:
            for code in _compile_in_children(codes, started, niceness, children or OwnChildren()):
                done += _count(code)
                show(f"compiled {code}")
                yield code
        except (BrokenProcessPool, OSError):
            # A pool whose child has just died may fail to wake its own thread: "handle is closed".
            codes[:0] = started
            started.clear()
            show("a compiling process died; compiling in this process")
    while codes:
        code = codes.pop(0)
        yield code
        done += _count(code)
        show(f"compiled {code}")


def _count(*codes: CodeUnit) -> int:
    """Return the number of functions of some units."""
    return sum(len(code.functions) for code in codes)


def _compile_in_children(
    codes: list[CodeUnit], started: list[CodeUnit], niceness: int, children: OwnChildren
) -> Iterator[CodeUnit]:
    """Yield each unit once a child has compiled it. Until then it is in `started`.

    Raises BrokenProcessPool if a child dies.
    """
    most = available_cores()
    running: dict[Future[None], CodeUnit] = {}
    with ProcessPoolExecutor(most, children, _start_child, (niceness,)) as pool, _killed_on_error(children):
        while codes or running:
            # A unit is taken only once a child is free, because by then searches may need another one.
            while codes and len(running) < most:
                started.append(code := codes.pop(0))
                with uninterrupted():
                    future = pool.submit(_compile, code)
                running[future] = code
            is_free = len(running) < most
            done, _ = wait(running, _LOOK_EVERY if is_free else None, FIRST_COMPLETED)
            for future in done:
                future.result()
                started.remove(code := running.pop(future))
                yield code


def _compile(code: CodeUnit) -> None:
    for unit in code.units:
        # The parent reports a faulty evaluator when it loads the code.
        with suppress(FaultyEvaluatorError):
            unit.load()


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
