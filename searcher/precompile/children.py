"""Child processes that end with their parent, and compiling in them."""

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait

from searcher.plugins.faults import Fault, FaultyEvaluatorError
from searcher.precompile.parts import Part
from searcher.strategies import DEFAULT

ChoosePart = Callable[[Sequence[Part]], Part]
"""Returns which of several parts to compile next."""


def load_part(part: Part) -> Fault | None:
    """Load a part; return the fault of its evaluator, if there is one.

    Raises FaultyEvaluatorError if the default evaluator is faulty: nothing can be searched without it.
    """
    try:
        part.load()
    except FaultyEvaluatorError as error:
        if part.evaluator == DEFAULT.evaluator:
            raise
        return error.fault
    return None


def compile_in_children(parts: Sequence[Part], niceness: int, choose: ChoosePart) -> Iterator[Part]:
    """Yield each part once a child process has compiled it into the cache, with one child for each core.

    Raises BrokenProcessPool if a child dies.
    """
    if not parts:
        return
    children = min(len(parts), os.cpu_count() or 1)
    with ProcessPoolExecutor(
        max_workers=children,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_start_child,
        initargs=(niceness,),
    ) as pool:
        left = list(parts)
        running: dict[Future[Fault | None], Part] = {}
        while left or running:
            # Parts are chosen only once a child is free, since searches may ask for other parts meanwhile.
            while left and len(running) < children:
                part = choose(left)
                left.remove(part)
                running[pool.submit(load_part, part)] = part
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                future.result()
                yield running.pop(future)


def _start_child(niceness: int) -> None:
    os.nice(niceness)
    end_with_parent()


def end_with_parent() -> None:
    """Make this child process end when its parent does, however the parent ends.

    Otherwise the child of a killed process would wait for work forever.
    """
    threading.Thread(target=_end_with_parent, name="end-with-parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
