"""Trials of evaluators in this process: each is compiled and run on fixed positions.

Array indices are checked in a trial. In a search the checks would cost too much. A faulty evaluator may end
the process, so searcher/trials/runner.py runs trials in a child process.
"""

import json
import math
import os
import resource
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, product

import numpy as np
from numba import config, typeof, types
from numpy.typing import NDArray

from searcher.engine.jit.compiler import new_dispatcher
from searcher.engine.jit.emission import Dispatcher, Type
from searcher.engine.rules.packing import living, pack
from searcher.engine.rules.records import SHAPES, WEIGHTS_DTYPE, Packed, Shape, shapes_for
from searcher.interface import Evaluator
from searcher.plugins.discovery import evaluator_fault, place_of
from searcher.plugins.faults import EvaluatorFault
from searcher.plugins.mistakes import kind_of, misused_set
from searcher.positions.bench import bench_positions
from searcher.positions.move_body import position_in
from searcher.trials.calls import doubtful_calls, external_calls, forbidden_call
from searcher.trials.cpu_limits import CpuLimits
from searcher.trials.extremes import extreme_positions
from searcher.trials.outcome import SHAPE, Notice, Step, TrialOutcome

SNAKE = 0
"""The snake whose values a warning is about."""

_DUELS = SHAPES[0]
"""A second shape. An index of a third snake is outside of its arrays."""

Report = Callable[[Step | TrialOutcome], object]
"""Receives each step of a trial as it begins, then the outcome."""


def run_trials(evaluators: Iterable[Evaluator], report: Report, limits: CpuLimits) -> None:
    """Try evaluators, one after another."""
    config.BOUNDSCHECK = 1
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for evaluator in evaluators:
        report(_Trial(evaluator, report, limits).run())


class _Trial:
    """The trial of one evaluator."""

    def __init__(self, evaluator: Evaluator, report: Report, limits: CpuLimits) -> None:
        self._evaluator = evaluator
        self._report = report
        self._limits = limits
        self._weights = [weights_of(evaluator, field) for field in ("default", "minimum", "maximum")]
        self._zeros = weights_of(evaluator, "default", undeclared=0.0)
        self._values: list[float] = []
        """The values with the default weights."""
        self._calls: Collection[str] = ()
        """The functions outside of its own code that the evaluator calls."""

    def run(self) -> TrialOutcome:
        """Return the outcome of the trial."""
        place = place_of(self._evaluator)
        if misuse := misused_set(place[0]):
            line, reason = misuse
            return EvaluatorFault(self._evaluator.name, reason, place[0], line)
        try:
            reason = self._find_fault()
        except Exception as error:
            return evaluator_fault(self._evaluator, error)
        if reason:
            return EvaluatorFault(self._evaluator.name, reason, *place)
        warnings = (*warnings_about(self._values), *doubtful_calls(self._calls))
        return Notice(self._evaluator.name, "; ".join(warnings), *place) if warnings else None

    def _find_fault(self) -> str:
        """Return the evaluator's fault, or an empty string. Raises the evaluator's errors."""
        self._begin(Step.COMPILE, self._limits.compiling)
        positions = [list(positions_of(shape)) for shape in (SHAPE, _DUELS)]
        for of_shape in positions:
            evaluate = self._compile(of_shape[0])
        if reason := _find_type_error(evaluate.nopython_signatures[0].return_type):
            return reason
        if reason := self._find_forbidden_call():
            return reason
        self._begin(Step.EVALUATE, self._limits.running)
        reasons = (self._find_value_error(packed, evaluate) for packed in chain(*positions))
        return next(filter(None, reasons), "")

    def _begin(self, step: Step, cpu_seconds: int) -> None:
        self._report(step)
        limit_cpu_time(cpu_seconds)

    def _compile(self, packed: Packed) -> Dispatcher:
        """Compile the evaluator for the shape of a position, and return its function."""
        evaluate = compiled(self._evaluator.evaluate)
        evaluate.compile(tuple(map(typeof, arguments_for(packed, self._weights[0]))))
        return evaluate

    def _find_forbidden_call(self) -> str:
        """Return the reason why a search can't run the compiled function, or an empty string.

        Running it might print, or wait for input.
        """
        for overload in compiled(self._evaluator.evaluate).overloads.values():
            calls = external_calls(overload)
            if reason := forbidden_call("evaluate", calls):
                return reason
            self._calls = {*self._calls, *calls}
        return ""

    def _find_value_error(self, packed: Packed, evaluate: Dispatcher) -> str:
        """Return the error in the evaluator's values of a position, or an empty string."""
        before = packed.game.tobytes(), packed.board.tobytes()
        for snake, each in product(living(packed), self._weights):
            value = float(evaluate(*arguments_for(packed, each, snake)))
            if not math.isfinite(value):
                if math.isfinite(evaluate(*arguments_for(packed, self._zeros, snake))):
                    names = [f"{weight.name} ({at})" for at, weight in enumerate(self._evaluator.weights)]
                    return (
                        f"evaluate uses more weights than the {len(names)} that it declares; "
                        f"valid names and indices: {', '.join(names) or 'none'}"
                    )
                weights = _weights_text(self._evaluator, each)
                return f"evaluate returns {value}, as after a division by 0, with weights {weights}"
            if snake == SNAKE and each is self._weights[0]:
                self._values.append(value)
        if (packed.game.tobytes(), packed.board.tobytes()) != before:
            return "evaluate changes the game or the board that it is given"
        return ""


@cache
def compiled(function: Callable[..., float]) -> Dispatcher:
    """Return an evaluator's function as the compiler wraps it."""
    return new_dispatcher(function, {"error_model": "numpy"})


def arguments_for(
    packed: Packed, weights: NDArray[np.void], snake: int = SNAKE
) -> tuple[np.void, np.void, np.void, int]:
    """Return the arguments with which an evaluator is called for a snake."""
    return packed.game[0], packed.board[0], weights[0], snake


def weights_of(evaluator: Evaluator, field: str, undeclared: float = math.nan) -> NDArray[np.void]:
    """Return a record of the weights' defaults, minima or maxima. Places beyond them have `undeclared`."""
    values = np.zeros(1, dtype=WEIGHTS_DTYPE)
    values["values"] = undeclared
    values["values"][0, : len(evaluator.weights)] = [getattr(weight, field) for weight in evaluator.weights]
    return values


def _weights_text(evaluator: Evaluator, weights: NDArray[np.void]) -> str:
    return json.dumps(
        {weight.name: float(weights["values"][0, at]) for at, weight in enumerate(evaluator.weights)}
    )


def _find_type_error(returned: Type) -> str:
    """Return the error in the type of `evaluate`'s value, or an empty string."""
    if isinstance(returned, types.Float | types.Integer):
        return ""
    if returned == types.none:
        return "evaluate must return a float, but each of its paths returns nothing or does not end"
    if isinstance(returned, types.Optional):
        return "evaluate must return a float, but a path returns nothing; end it with a return of a number"
    hint = "; a weight is weights.values[INDEX]" if isinstance(returned, types.Array) else ""
    return f"evaluate must return a float, not {kind_of(str(returned))}{hint}"


def warnings_about(values: list[float]) -> Iterator[str]:
    """Yield a warning if the values of the positions are useless to a search."""
    if len(set(values)) == 1:
        yield (
            f"can't tell positions apart: it returns {values[0]:g} for all {len(values)} that it was tried on"
        )
    # By magnitude, because the median of values of both signs may be 0.
    elif abs(usual := sorted(values, key=abs)[len(values) // 2]) > 1.0:
        yield f"often returns {usual:g}, which a search clamps to -1 or 1"


def limit_cpu_time(seconds: int) -> None:
    """End the process after this many more seconds of CPU time, even if its parent is gone."""
    used = math.ceil(sum(os.times()[:2]))
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (used + seconds, hard))


def positions_of(shape: Shape) -> Iterator[Packed]:
    """Yield the benchmark's positions of a shape as each of their snakes sees them, then the extreme ones.

    Yield each of the benchmark's unchanged, then with a hungry snake, and then with that snake alone on the
    board.
    """
    for position in map(position_in, bench_positions()):
        if shape in shapes_for(position):
            for you in range(len(position.snakes)):
                snakes = position.snakes[you:] + position.snakes[:you]
                hungry = (replace(snakes[0], health=1), *snakes[1:])
                for chosen in (snakes, hungry, snakes[:1]):
                    yield pack(replace(position, snakes=chosen, you=0), shape)
    for position in extreme_positions():
        if shape in shapes_for(position):
            yield pack(position, shape)
