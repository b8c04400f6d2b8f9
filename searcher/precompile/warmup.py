"""Gets all compiled code ready: from the cache at once, else compiled by child processes, one on each core.

The children leave their code in the cache and the searcher loads it from there, so that it serves meanwhile.
"""

import gc
import multiprocessing
import os
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from operator import itemgetter

import structlog

from searcher import strategies
from searcher.engine.jit.code_cache import CACHE_DIRECTORY
from searcher.engine.jit.function import Function
from searcher.engine.position import Position
from searcher.engine.result import Limits, Result
from searcher.engine.search.clock import Clock
from searcher.errors import UnavailableError
from searcher.interface import Evaluator, Offer, OnDepth, Progress, Search, Strategy
from searcher.parts import Part, all_parts, parts_for
from searcher.plugins.faults import Fault, FaultyEvaluatorError
from searcher.precompile.children import end_with_parent
from searcher.session import SearchSession
from searcher.strategies import DEFAULT, evaluators, faults
from searcher.trials.runner import faults_in

_LOWER_PRIORITY = 10
"""Of what compiles while games are played, as `nice` counts it."""

Choose = Callable[[Sequence[Part]], Part]
"""Says which of several parts is to be compiled next."""

_log = structlog.get_logger()


class CompiledStrategies:
    """The strategies that there are, as they get ready; what isn't ready yet is refused, not waited for."""

    def __init__(self, only: Collection[Strategy] = ()) -> None:
        """Offers all strategies, or those made of `only` and the default one."""
        self._only = only
        self.offer: Offer = strategies.offer(only)
        self._ready: set[Function] = set()
        self._wanted: set[Function] = set()
        self._closed = False

    def new_search(self) -> Search:
        """Return a search function for the calling thread."""
        return CompiledSearch(
            lambda part: self._ready.issuperset(part.functions),
            lambda part: self._wanted.update(part.functions),
        )

    def warm_up(self, progress: Progress) -> None:
        """Returns when the default strategy plays every game on 11x11; gets the rest ready behind."""
        for fault in faults():
            _log.error(str(fault))
        first, *rest = all_parts(self._only)
        self._make_ready([first], progress)
        behind = threading.Thread(
            target=self._make_rest_ready, args=(rest, progress), name="warming", daemon=True
        )
        behind.start()

    def close(self) -> None:
        """Gives up what isn't ready yet: Python waits at its exit for children, and one may take long."""
        self._closed = True
        for child in multiprocessing.active_children():
            child.kill()

    def _make_rest_ready(self, parts: Sequence[Part], progress: Progress) -> None:
        """All that passes its trial; what somebody has asked for comes first."""
        for fault in faults_in(_others_in(parts)):
            self._leave_out(fault)
        offered = [part for part in parts if part.evaluator in self.offer.evaluators]
        self._make_ready(offered, progress, _LOWER_PRIORITY)

    def _leave_out(self, fault: Fault) -> None:
        """Says what is wrong with an evaluator, once, and offers it no more."""
        if fault.evaluator in self.offer.evaluators and not self._closed:
            _log.error(str(fault))
        left = {
            name: evaluator for name, evaluator in self.offer.evaluators.items() if name != fault.evaluator
        }
        self.offer = replace(self.offer, evaluators=left)

    def _make_ready(self, parts: Sequence[Part], progress: Progress, niceness: int = 0) -> None:
        """Returns when all the parts are loaded; each is ready as soon as it lies in the cache."""

        def tell(label: str, done: int, total: int) -> None:
            if not self._closed:
                progress(label, done, total)

        missing = [part for part in parts if not part.is_cached()]
        for part in (part for part in parts if part not in missing):
            self._load(part)
        for part in _compile(missing, tell, niceness, self._next):
            if self._closed:
                return
            self._load(part)
        # The compiler's many objects stay: looking through them again and again would pause searches.
        gc.freeze()

    def _next(self, parts: Sequence[Part]) -> Part:
        """The one to get ready next: what is most of that which a search was refused for, else the first."""
        missing = self._wanted - self._ready
        return max(parts, key=lambda part: len(missing.intersection(part.functions)))

    def _load(self, part: Part) -> None:
        if (fault := _loaded(part)) is not None:
            self._leave_out(fault)
        else:
            self._ready.update(part.functions)


class CompiledSearch:
    """A searcher that refuses what would have to be compiled first, and tells that it is wanted."""

    def __init__(self, is_ready: Callable[[Part], bool], want: Callable[[Part], object]) -> None:
        self._is_ready = is_ready
        self._want = want
        self._session = SearchSession()

    def __call__(
        self,
        position: Position,
        strategy: Strategy,
        limits: Limits,
        clock: Clock,
        on_depth: OnDepth | None = None,
    ) -> Result:
        """As SearchSession.search. Raises UnavailableError while the position's code is being compiled."""
        parts = parts_for(position, strategy)
        part = next(filter(self._is_ready, parts), None)
        if part is not parts[0]:
            self._want(parts[0])
        if part is None:
            raise UnavailableError(f"still compiling {parts[0]}")
        return self._session.search(position, strategy, limits, clock, on_depth, part.shape)


def _others_in(parts: Sequence[Part]) -> list[Evaluator]:
    """The evaluators of parts, without the default one: it is ours and passes its tests."""
    names = dict.fromkeys(part.evaluator for part in parts if part.evaluator != DEFAULT.evaluator)
    return [evaluators()[name] for name in names]


def _loaded(part: Part) -> Fault | None:
    """Loads a part, or says what is wrong with its evaluator. Raises what is wrong with the default one."""
    try:
        part.load()
    except FaultyEvaluatorError as error:
        if part.evaluator == DEFAULT.evaluator:
            raise
        return error.fault
    return None


def _compile(
    parts: Sequence[Part], progress: Progress, niceness: int = 0, choose: Choose = itemgetter(0)
) -> Iterator[Part]:
    """The parts, each as soon as it lies in the cache; without a cache or when a child dies, at once."""
    left = dict.fromkeys(parts)
    if parts:
        progress(f"compiling {choose(parts)}", 0, len(parts))
    try:
        for part in _compile_in_children(parts, niceness, choose) if CACHE_DIRECTORY is not None else ():
            del left[part]
            progress(f"compiled {part}", len(parts) - len(left), len(parts))
            yield part
    except BrokenProcessPool:
        progress("a process that compiled died; compiling in this one", len(parts) - len(left), len(parts))
    yield from left


def _compile_in_children(parts: Sequence[Part], niceness: int, choose: Choose) -> Iterator[Part]:
    if not parts:
        return
    children = min(len(parts), os.cpu_count() or 1)
    with ProcessPoolExecutor(
        max_workers=children,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_begin_child,
        initargs=(niceness,),
    ) as pool:
        left = list(parts)
        under_way: dict[Future[Fault | None], Part] = {}
        while left or under_way:
            # No sooner than a child is free: until then something else may be wanted more.
            while left and len(under_way) < children:
                part = choose(left)
                left.remove(part)
                under_way[pool.submit(_loaded, part)] = part
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                future.result()
                yield under_way.pop(future)


def _begin_child(niceness: int) -> None:
    os.nice(niceness)
    end_with_parent()


def warm_everything(progress: Progress, only: Collection[Strategy] = ()) -> tuple[Fault, ...]:
    """Returns when all code lies in the cache, or has shown that it compiles; and what is wrong with it.

    With `only` it is the code of these strategies and the default one.
    """
    parts = all_parts(only)
    found = {fault.evaluator: fault for fault in (*faults(), *faults_in(_others_in(parts)))}
    missing = [part for part in parts if part.evaluator not in found and not part.is_cached()]
    for part in _compile(missing, progress):
        if (fault := _loaded(part)) is not None:
            found[fault.evaluator] = fault
    return tuple(found.values())
