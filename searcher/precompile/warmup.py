"""Warming up: a searcher compiles some code before searches need it, and other code once a search needs it.

Child processes, one a core, write the code into the cache, and the searcher loads it. Meanwhile it serves.
"""

import gc
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from battlesnake_search.common.logs import get_logger
from searcher import strategies
from searcher.engine.jit.emission import CompilerMissingError, compiler_is_installed
from searcher.engine.jit.function import Function
from searcher.engine.position import Direction, Position
from searcher.engine.result import Limits, Result
from searcher.engine.rules.records import shapes_for
from searcher.engine.search.clock import Clock
from searcher.errors import CompilingError, UnavailableError
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
)
from searcher.plugins.discovery import place_of
from searcher.plugins.faults import EvaluatorFault, FaultyEvaluatorError, remember, remembered
from searcher.precompile.children import compile_all
from searcher.precompile.code_units import (
    CodeUnit,
    EvaluatorCode,
    ahead_codes,
    all_codes,
    codes_for,
    first_codes,
    missing_units,
    turn_code_for,
)
from searcher.precompile.prepare import untried
from searcher.session import SearchSession, evaluate, play_turn
from searcher.strategies import evaluators, faults, is_trusted
from searcher.trials.own_children import OwnChildren
from searcher.trials.runner import trial_faults

_NICENESS = 10
"""The niceness of child processes that compile while games are played."""

_ENDS_WITHIN = 1.0
"""Seconds for the background thread to end, because it may be loading code."""

_PAUSE = 0.02
"""Seconds between two looks at the child processes of a thread that should end."""

_log = get_logger(__name__)

AnyCode = TypeVar("AnyCode", bound=CodeUnit)


class CompiledStrategies:
    """The strategies on offer while they are compiled. Searches that need missing code are refused."""

    def __init__(self, only: Collection[StrategyChoice] = (), ahead: Collection[StrategyChoice] = ()) -> None:
        """Offer all strategies, or the combinations of `only` and of the default strategy.

        Compile the strategies of `ahead` and `only`, besides the default strategy, before searches need them.
        """
        self._only = only
        self._ahead = (*ahead, *only)
        self._closed = False
        offered = strategies.offer(only)
        self.offer: Offer = replace(
            offered,
            faults={
                fault.evaluator: fault.line_of_text
                for fault in faults()
                # A name that is taken belongs to a valid evaluator, too.
                if fault.evaluator not in evaluators()
            },
            on_trial=frozenset(evaluator.name for evaluator in untried(offered.evaluators)),
        )
        for fault in remembered():
            self._leave_out(fault)
        self._ready: set[Function] = set()
        self._wanted: dict[CodeUnit, float] = {}
        """The code that searches need, and the monotonic time at which the first one needed it."""
        self._missing: list[CodeUnit] = []
        """Units to compile in the background, in this order."""
        self._more = threading.Event()
        """Set if there may be more units to compile, and at the end."""
        self._background: threading.Thread | None = None
        self._children = OwnChildren()

    def new_search(self) -> Search:
        """Return a search function for the calling thread. It refuses searches whose code is missing."""
        session = SearchSession()

        def search(
            position: Position,
            strategy: Strategy,
            limits: Limits,
            clock: Clock,
            on_depth: OnDepth | None,
        ) -> Result:
            part = self._first_ready(codes_for(position, strategy))
            return session.search(position, strategy, limits, clock, on_depth, part.shape)

        return search

    def evaluate(self, position: Position, strategy: Strategy) -> Sequence[SnakeEvaluation]:
        """Evaluate a position. Raises UnavailableError while the evaluator is being compiled."""
        codes = [EvaluatorCode(strategy.evaluator, shape) for shape in shapes_for(position)]
        return evaluate(position, strategy, self._first_ready(codes).shape)

    def take_off(self, evaluator: str, reason: str) -> None:
        """Remove an evaluator of another package from the offer, also after a restart of this process."""
        if is_trusted(evaluator):
            return
        fault = EvaluatorFault(evaluator, reason, *place_of(evaluators()[evaluator]))
        remember(fault)
        self._leave_out(fault)

    def advance(self, position: Position, moves: Mapping[str, Direction]) -> PlayedTurn:
        """Play a turn. Raises UnavailableError while the code of the rules is being compiled."""
        self._first_ready([turn_code_for(position)])
        return play_turn(position, moves)

    def warm_up(self, progress: Progress) -> None:
        """Load the default strategy's code for every game on 11x11. Then compile in the background.

        Code on disk is ready from the start, because the first search that needs it loads it.
        """
        for fault in faults():
            _log.error(str(fault))
        first = first_codes()
        for unit in self._compiled(missing_units(first), progress):
            unit.load()
        if self._closed:
            return
        for part in first:
            part.load()
        # The evaluators that searches will need soon are tried first.
        wanted = {strategy.evaluator for choice in self._ahead for strategy in choice.strategies}
        names = sorted(self.offer.on_trial, key=lambda name: (name not in wanted, name))
        candidates = [evaluators()[name] for name in names]
        self._background = threading.Thread(
            target=self._run_background, args=(candidates, progress), name="compiling", daemon=True
        )
        self._background.start()

    def close(self) -> None:
        """Stop compiling. Python waits for child processes when it exits, and a child may take long.

        A child can be killed only after its start. If the parent ended before a child has started, the child
        would log an error.
        """
        self._closed = True
        self._more.set()
        end = time.monotonic() + _ENDS_WITHIN
        while True:
            self._children.kill()
            if self._background is None or not self._background.is_alive() or time.monotonic() > end:
                return
            self._background.join(_PAUSE)

    def _first_ready(self, codes: Sequence[AnyCode]) -> AnyCode:
        """Return the first of several units that is ready. Compile the very first one if it is not ready.

        Raises UnavailableError if no unit is ready.
        """
        ready = next((code for code in codes if self._is_ready(code)), None)
        if ready is not codes[0]:
            self._want(codes[0])
        if ready is None and codes[0].evaluator in self.offer.on_trial:
            raise UnavailableError(f"evaluator {codes[0].evaluator} is still on trial")
        if ready is None:
            raise self._refusal(codes[0])
        return ready

    def _refusal(self, code: CodeUnit) -> UnavailableError:
        """Return the error of missing code for the caller of a search."""
        if not compiler_is_installed():
            return UnavailableError(f"{code} can't play: {CompilerMissingError()}")
        seconds = time.monotonic() - self._wanted[code]
        left = sum(not function.is_cached() for function in code.functions)
        functions = f"{left} of {len(code.functions)} functions left"
        return CompilingError(f"still compiling {code}: {seconds:.0f} s so far, {functions}")

    def _want(self, code: CodeUnit) -> None:
        """Compile code next in the background, unless its evaluator is still on trial."""
        if code in self._wanted or code.evaluator in self.offer.on_trial:
            return
        self._wanted[code] = time.monotonic()
        self._missing[:0] = missing_units([code])
        self._more.set()

    def _is_ready(self, code: CodeUnit) -> bool:
        """Return whether code can run, and load it if it is on disk."""
        if self._ready.issuperset(code.functions):
            return True
        if code.evaluator in self.offer.on_trial or not code.is_loadable():
            return False
        self._ready.update(code.functions)
        return True

    def _run_background(self, candidates: Sequence[Evaluator], progress: Progress) -> None:
        """Try the candidates, and compile until this is closed. Code that searches need comes first."""
        for fault in trial_faults(candidates, self._children, _log.warning):
            if self._closed:
                return
            self._leave_out(fault)
        self.offer = replace(self.offer, on_trial=())
        if not compiler_is_installed():
            self._log_missing()
            return
        offered = self.offer.evaluators
        ahead = [code for code in ahead_codes(self._ahead) if code.evaluator in offered]
        # Code that is in the cache is loaded only for a search that needs it.
        units = {unit.functions: unit for code in ahead for unit in code.units}
        self._missing += [unit for unit in units.values() if not unit.is_cached()]
        while not self._closed:
            for unit in self._compiled(self._missing, progress, _NICENESS):
                try:
                    unit.load()
                except FaultyEvaluatorError as error:
                    self._leave_out(error.fault)
            self._more.wait()
            self._more.clear()

    def _log_missing(self) -> None:
        """Log that strategies can't play, if code of them is missing."""
        offered = self.offer.evaluators
        codes = [code for code in all_codes(self._only) if code.evaluator in (None, *offered)]
        if missing := [code for code in codes if not code.is_cached()]:
            _log.error(f"strategies with {missing[0]} can't play: {CompilerMissingError()}")

    def _compiled(self, units: list[CodeUnit], progress: Progress, niceness: int = 0) -> Iterator[CodeUnit]:
        """Yield each unit once it is compiled, until this is closed."""

        def show(label: str, done: int, total: int) -> None:
            if not self._closed:
                progress(label, done, total)

        for unit in compile_all(units, show, niceness, self._children):
            if self._closed:
                return
            yield unit
        # The compiler's many objects stay alive, and repeated scans of them would pause searches.
        gc.freeze()

    def _leave_out(self, fault: EvaluatorFault) -> None:
        """Remove a faulty evaluator from the offer, and log its fault once."""
        if fault.evaluator in self.offer.evaluators and not self._closed:
            _log.error(str(fault))
        left = {
            name: evaluator for name, evaluator in self.offer.evaluators.items() if name != fault.evaluator
        }
        found = {**self.offer.faults, fault.evaluator: fault.line_of_text}
        on_trial = frozenset(self.offer.on_trial) - {fault.evaluator}
        self.offer = replace(self.offer, evaluators=left, faults=found, on_trial=on_trial)
