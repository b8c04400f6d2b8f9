"""Warming up: a searcher loads all code from the cache. Child processes, one per core, compile missing code.

The children write their code into the cache, and the searcher loads it from there. Meanwhile it serves.
"""

import gc
import shutil
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import structlog

from searcher import strategies
from searcher.engine.jit.code_cache import TARGETS, cache_root, folder_in
from searcher.engine.jit.function import CompilerMissingError, Function, compiler_is_installed
from searcher.engine.position import Position
from searcher.engine.result import Limits, Result
from searcher.engine.rules.records import shapes_for
from searcher.engine.search.clock import Clock
from searcher.errors import UnavailableError
from searcher.interface import (
    Evaluator,
    Offer,
    OnDepth,
    PlayedTurn,
    Progress,
    Search,
    SnakeEvaluation,
    Strategy,
    StrategyChoice,
    Turn,
)
from searcher.plugins.faults import EvaluatorFault, FaultyEvaluatorError
from searcher.precompile.children import compile_all
from searcher.precompile.code_units import (
    CodeUnit,
    EvaluatorCode,
    StrategyCode,
    all_codes,
    codes_for,
    first_codes,
    missing_units,
    turn_code_for,
)
from searcher.precompile.prepare import try_evaluators, untried
from searcher.session import SearchSession, evaluate, play_turn
from searcher.strategies import faults, is_trusted
from searcher.trials.own_children import OwnChildren
from searcher.trials.runner import has_passed, mark_of, trial_faults

_NICENESS = 10
"""The niceness of child processes that compile while games are played."""

_ENDS_WITHIN = 1.0
"""Seconds for the background thread to end, because it may be loading code."""

_PAUSE = 0.02
"""Seconds between two looks at the child processes of a thread that should end."""

_log = structlog.get_logger()

AnyCode = TypeVar("AnyCode", bound=CodeUnit)


class CompiledStrategies:
    """The strategies on offer while they are compiled. Searches that need missing code are refused."""

    def __init__(self, only: Collection[StrategyChoice] = ()) -> None:
        """Offer all strategies, or the combinations of `only` and of the default strategy."""
        self._only = only
        self.offer: Offer = strategies.offer(only)
        self._ready: set[Function] = set()
        self._wanted: set[Function] = set()
        self._untried: frozenset[str] = frozenset()
        self._closed = False
        self._background: threading.Thread | None = None
        self._children = OwnChildren()

    def new_search(self) -> Search:
        """Return a search function for the calling thread."""
        return CompiledSearch(self._first_ready)

    def evaluate(self, position: Position, strategy: Strategy) -> Sequence[SnakeEvaluation]:
        """Evaluate a position. Raises UnavailableError while the evaluator is being compiled."""
        codes = [EvaluatorCode(strategy.evaluator, shape) for shape in shapes_for(position)]
        return evaluate(position, strategy, self._first_ready(codes).shape)

    def advance(self, turn: Turn) -> PlayedTurn:
        """Play a turn. Raises UnavailableError while the code of the rules is being compiled."""
        self._first_ready([turn_code_for(turn.position)])
        return play_turn(turn)

    def warm_up(self, progress: Progress) -> None:
        """Load the default strategy's code for every game on 11x11, and the rest in the background.

        Code on disk is ready from the start, because the first search that needs it loads it.
        """
        for fault in faults():
            _log.error(str(fault))
        first = first_codes()
        self._load_first(first, progress)
        rest = [part for part in all_codes(self._only) if part not in first]
        candidates = untried(rest)
        self._untried = frozenset(evaluator.name for evaluator in candidates)
        self._background = threading.Thread(
            target=self._load_rest, args=(rest, candidates, progress), name="warming", daemon=True
        )
        self._background.start()

    def close(self) -> None:
        """Stop compiling. Python waits for child processes when it exits, and a child may take long.

        A child can be killed only after its start. If the parent ended before a child has started, the child
        would log an error.
        """
        self._closed = True
        end = time.monotonic() + _ENDS_WITHIN
        while True:
            self._children.kill()
            if self._background is None or not self._background.is_alive() or time.monotonic() > end:
                return
            self._background.join(_PAUSE)

    def _first_ready(self, codes: Sequence[AnyCode]) -> AnyCode:
        """Return the first of several units that is ready. Request the very first one if it is not ready.

        Raises UnavailableError if no unit is ready.
        """
        ready = next((code for code in codes if self._is_ready(code)), None)
        if ready is not codes[0]:
            self._wanted.update(codes[0].functions)
        if ready is None:
            raise UnavailableError(_why_missing(codes[0]))
        return ready

    def _is_ready(self, code: CodeUnit) -> bool:
        """Return whether code can run, and load it if it is on disk."""
        if self._ready.issuperset(code.functions):
            return True
        if _evaluator_of(code) in self._untried or not code.is_loadable():
            return False
        self._ready.update(code.functions)
        return True

    def _load_first(self, parts: Sequence[StrategyCode], progress: Progress) -> None:
        """Load the parts. Compile missing code function by function, because the parts share functions."""
        shown = self._until_closed(progress)
        for unit in compile_all(missing_units(parts), shown, children=self._children):
            if self._closed:
                return
            unit.load()
        for part in parts:
            self._load(part)
        gc.freeze()

    def _load_rest(
        self, parts: Sequence[StrategyCode], candidates: Sequence[Evaluator], progress: Progress
    ) -> None:
        """Try the candidates, and load the parts without a faulty one. Parts that searches need are first."""
        for fault in trial_faults(candidates, self._children):
            if self._closed:
                return
            self._leave_out(fault)
        self._untried = frozenset()
        offered = [part for part in parts if part.evaluator in self.offer.evaluators]
        missing = [part for part in offered if not self._is_ready(part)]
        if missing and not compiler_is_installed():
            _log.error(
                f"{len(missing)} strategies can't play, such as {missing[0]}: {CompilerMissingError()}"
            )
            return
        shown = self._until_closed(progress)
        for part in compile_all(missing, shown, _NICENESS, self._next, self._children):
            if self._closed:
                return
            self._load(part)
        # The compiler's many objects stay alive, and repeated scans of them would pause searches.
        gc.freeze()

    def _leave_out(self, fault: EvaluatorFault) -> None:
        """Remove a faulty evaluator from the offer, and log its fault once."""
        if fault.evaluator in self.offer.evaluators and not self._closed:
            _log.error(str(fault))
        left = {
            name: evaluator for name, evaluator in self.offer.evaluators.items() if name != fault.evaluator
        }
        self.offer = replace(self.offer, evaluators=left)

    def _until_closed(self, progress: Progress) -> Progress:
        """Return a wrapper of `progress` that stops reporting once this is closed."""

        def show(label: str, done: int, total: int) -> None:
            if not self._closed:
                progress(label, done, total)

        return show

    def _next(self, parts: Sequence[StrategyCode]) -> StrategyCode:
        """Return the part with the most functions that refused searches need, or else the first part."""
        missing = self._wanted - self._ready
        return max(parts, key=lambda part: len(missing.intersection(part.functions)))

    def _load(self, part: StrategyCode) -> None:
        if (fault := _load_part(part)) is not None:
            self._leave_out(fault)
        else:
            self._ready.update(part.functions)


class CompiledSearch:
    """A search that is refused while its code is missing. `first_ready` chooses a part, or refuses it."""

    def __init__(self, first_ready: Callable[[Sequence[StrategyCode]], StrategyCode]) -> None:
        self._first_ready = first_ready
        self._session = SearchSession()

    def __call__(
        self,
        position: Position,
        strategy: Strategy,
        limits: Limits,
        clock: Clock,
        on_depth: OnDepth | None = None,
    ) -> Result:
        """Search as SearchSession.search does.

        Raises UnavailableError while the code for the position is being compiled.
        """
        part = self._first_ready(codes_for(position, strategy))
        return self._session.search(position, strategy, limits, clock, on_depth, part.shape)


def _why_missing(code: CodeUnit) -> str:
    """Return the error of missing code for the caller of a search."""
    if compiler_is_installed():
        return f"still compiling {code}"
    return f"{code} can't play: {CompilerMissingError()}"


def _evaluator_of(code: CodeUnit) -> str | None:
    """Return the name of the evaluator of a code, if it has one."""
    return code.evaluator if isinstance(code, StrategyCode | EvaluatorCode) else None


def _load_part(part: StrategyCode) -> EvaluatorFault | None:
    """Load a part, and return the fault of its evaluator, if there is one.

    Raises FaultyEvaluatorError if the default strategy needs the part, because a searcher can't do without
    it.
    """
    try:
        part.load()
    except FaultyEvaluatorError as error:
        if is_trusted(part.evaluator):
            raise
        return error.fault
    return None


def warm_everything(progress: Progress, only: Collection[StrategyChoice] = ()) -> tuple[EvaluatorFault, ...]:
    """Compile all code into the cache, and return the faults of the evaluators that are left out.

    With `only`, compile the code of these strategies and of the default strategy. Even without a cache, the
    code is compiled to find errors.
    """
    parts = all_codes(only)
    found = {fault.evaluator: fault for fault in (*faults(), *try_evaluators(parts, progress))}
    missing = [part for part in parts if part.evaluator not in found and not part.is_cached()]
    for part in compile_all(missing, progress):
        if (fault := _load_part(part)) is not None:
            found[fault.evaluator] = fault
    return tuple(found.values())


def missing_from_cache(only: Collection[StrategyChoice] = ()) -> list[str]:
    """Return a line for everything that a start would compile, try or leave out. Nothing is compiled.

    With `only`, check these strategies and the default strategy. Parts in the cache are loaded, so that a
    part with unusable code counts as missing.
    """
    parts = all_codes(only)
    missing = [f"{part} is not compiled" for part in parts if not part.is_cached()]
    unusable = [f"{part} is compiled again" for part in parts if part.is_cached() and not part.is_loadable()]
    untried = [
        f"evaluator {evaluator.name} has not passed its trial"
        for evaluator in strategies.offer(only).evaluators.values()
        if not is_trusted(evaluator.name) and not has_passed(evaluator)
    ]
    return [*map(str, faults()), *missing, *unusable, *untried]


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
    for part in all_codes(only):
        yield from (function.name for function in part.functions)
    for evaluator in strategies.offer(only).evaluators.values():
        if not is_trusted(evaluator.name):
            yield mark_of(evaluator)
