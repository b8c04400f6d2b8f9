"""Trials of evaluators in this process: each is compiled and run on fixed positions.

Array indices are checked in a trial; in a search that would cost too much. A faulty evaluator may end the
process, so searcher/trials/runner.py runs trials in a child process.
"""

import json
import math
import os
import resource
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from statistics import median
from typing import Any, TextIO

import msgspec
import numpy as np
from numba import config, njit, typeof, types

from searcher.bench_positions import bench_positions
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import SHAPES, WEIGHTS_DTYPE, Packed, Shape, shapes_for
from searcher.interface import Evaluator
from searcher.move_body import position_in
from searcher.plugins.discovery import evaluator_fault, place_of
from searcher.plugins.faults import Fault
from searcher.trials.bound_check import SNAKE, compile_turn, find_bound_error

SHAPE = Shape(11, 11, max(shape.snakes for shape in SHAPES))
"""The shape that evaluators are tried on: that of most games."""

CPU_SECONDS = 5
"""CPU time for all positions together, after which an evaluator counts as endless; most take milliseconds."""

_NICENESS = 10
"""The niceness of a trial that a searcher runs, perhaps while it plays games."""


def run_trials(
    evaluators: Iterable[Evaluator], output: TextIO, as_json: bool, cpu_seconds: int = CPU_SECONDS
) -> bool:
    """Try evaluators, write a line about each, and return whether all have passed."""
    if as_json:
        os.nice(_NICENESS)
    config.BOUNDSCHECK = 1
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    passed = True
    for evaluator in evaluators:
        trial = _Trial(evaluator, cpu_seconds)
        fault = trial.run()
        passed = passed and fault is None
        line = msgspec.json.encode(fault).decode() if as_json else fault or trial.success_message()
        print(line, file=output, flush=True)
    return passed


class _Trial:
    """The trial of one evaluator."""

    def __init__(self, evaluator: Evaluator, cpu_seconds: int) -> None:
        self._evaluator = evaluator
        self._cpu_seconds = cpu_seconds
        self._weights = [_weights(evaluator, field) for field in ("default", "minimum", "maximum")]
        self._values: list[float] = []
        """The values with the default weights."""

    def run(self) -> Fault | None:
        """Return the fault of the evaluator, or None."""
        try:
            reason = self._find_fault()
        except Exception as error:
            return evaluator_fault(self._evaluator, error)
        return Fault(self._evaluator.name, reason, *place_of(self._evaluator)) if reason else None

    def success_message(self) -> str:
        """Return a line that reports success, with a warning if most values are clamped."""
        message = f"evaluator {self._evaluator.name} is fine"
        if abs(median(self._values)) <= 1.0:
            return message
        return (
            f"{message}, though it often returns {median(self._values):g}, which a search clamps to -1 or 1"
        )

    def _find_fault(self) -> str:
        """Return why the evaluator is faulty, or an empty string. Raises the errors that it raises."""
        positions = list(_positions())
        evaluate = self._compile(positions[0])
        _limit_cpu_time(self._cpu_seconds)
        returned = evaluate.nopython_signatures[0].return_type
        if not isinstance(returned, types.Float | types.Integer):
            return f"evaluate must return a float, not {returned}"
        for packed in positions:
            reason = self._find_value_error(packed, evaluate) or self._find_bound_error(packed, evaluate)
            if reason:
                return reason
        return ""

    def _compile(self, packed: Packed) -> Any:
        """Compile the evaluator's functions, and return `evaluate`."""
        evaluate = _compiled(self._evaluator.evaluate)
        arguments = _arguments(packed, self._weights[0])
        evaluate.compile(tuple(map(typeof, arguments)))
        if self._evaluator.at_least is not None:
            _compiled(self._evaluator.at_least).compile(tuple(map(typeof, (*arguments, 0))))
            compile_turn(packed)
        return evaluate

    def _find_value_error(self, packed: Packed, evaluate: Any) -> str:
        """Return the error in the evaluator's values of a position, or an empty string."""
        before = packed.game.tobytes(), packed.board.tobytes()
        values = [float(evaluate(*_arguments(packed, each))) for each in self._weights]
        for value, each in zip(values, self._weights, strict=True):
            if not math.isfinite(value):
                return f"evaluate returns {value} with weights {_weights_text(self._evaluator, each)}"
        if (packed.game.tobytes(), packed.board.tobytes()) != before:
            return "evaluate changes the game or the board that it is given"
        self._values.append(values[0])
        return ""

    def _find_bound_error(self, packed: Packed, evaluate: Any) -> str:
        """Return the error in the evaluator's lower bounds for a position, or an empty string."""
        if self._evaluator.at_least is None:
            return ""
        at_least = _compiled(self._evaluator.at_least)
        for each in self._weights:
            if reason := find_bound_error(packed, each, evaluate, at_least):
                return f"{reason}, with weights {_weights_text(self._evaluator, each)}"
        return ""


@cache
def _compiled(function: Callable[..., float]) -> Any:
    """Return one of the evaluator's functions as the compiler wraps it."""
    return njit(error_model="numpy")(function)


def _arguments(packed: Packed, weights: Any) -> tuple[Any, ...]:
    """Return the arguments with which an evaluator is called for the snake."""
    return packed.game[0], packed.board[0], weights[0], SNAKE


def _weights(evaluator: Evaluator, field: str) -> Any:
    values = np.zeros(1, dtype=WEIGHTS_DTYPE)
    values["values"][0, : len(evaluator.weights)] = [getattr(weight, field) for weight in evaluator.weights]
    return values


def _weights_text(evaluator: Evaluator, weights: Any) -> str:
    return json.dumps(
        {weight.name: float(weights["values"][0, at]) for at, weight in enumerate(evaluator.weights)}
    )


def _limit_cpu_time(seconds: int) -> None:
    """End the process after this many more seconds of CPU time, even if its parent is gone."""
    used = math.ceil(sum(os.times()[:2]))
    resource.setrlimit(resource.RLIMIT_CPU, (used + seconds, resource.RLIM_INFINITY))


def _positions() -> Iterator[Packed]:
    """Yield the benchmark's positions of the shape as each of their snakes sees them.

    Each comes as it is, with a hungry snake, and with that snake alone on the board.
    """
    for position in map(position_in, bench_positions()):
        if SHAPE in shapes_for(position):
            for you in range(len(position.snakes)):
                snakes = position.snakes[you:] + position.snakes[:you]
                hungry = (replace(snakes[0], health=1), *snakes[1:])
                for chosen in (snakes, hungry, snakes[:1]):
                    yield pack(replace(position, snakes=chosen, you=0), SHAPE)
