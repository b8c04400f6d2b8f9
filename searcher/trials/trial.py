"""Tries evaluators in this process: compiles them, and runs them on fixed positions.

Here indices are checked, which would cost too much in a search. A command of its own, which may end its
process: searcher/trials/runner.py has it run.
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
from searcher.plugins.discovery import fault_in, place_of
from searcher.plugins.faults import Fault
from searcher.trials.bound_check import SNAKE, broken_promise, get_ready

SHAPE = Shape(11, 11, max(shape.snakes for shape in SHAPES))
"""The shape that evaluators are tried for: that of most games."""

_SECONDS = 5
"""Of computing on all positions together, before an evaluator counts as endless; they take milliseconds."""

_NICENESS = 10
"""Of a trial that nobody watches: it may run beside games."""


def try_here(evaluators: Iterable[Evaluator], output: TextIO, as_json: bool) -> bool:
    """Tries evaluators and writes a line about each; says whether all have passed."""
    if as_json:
        os.nice(_NICENESS)
    config.BOUNDSCHECK = 1
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    passed = True
    for trial in map(_Trial, evaluators):
        fault = trial.fault()
        passed = passed and fault is None
        said = msgspec.json.encode(fault).decode() if as_json else fault or trial.praise()
        print(said, file=output, flush=True)
    return passed


class _Trial:
    """The trial of one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._values: list[float] = []
        """What it has returned with its default weights."""

    def fault(self) -> Fault | None:
        """What is wrong with the evaluator."""
        try:
            reason = self._complaint()
        except Exception as error:
            return fault_in(self._evaluator, error)
        return Fault(self._evaluator.name, reason, *place_of(self._evaluator)) if reason else None

    def praise(self) -> str:
        """What else its author may want to know of an evaluator without a fault."""
        said = f"evaluator {self._evaluator.name} is fine"
        if abs(median(self._values)) <= 1.0:
            return said
        return f"{said}, though it often returns {median(self._values):g}, which a search takes for 1 or -1"

    def _complaint(self) -> str:
        """What is wrong with the values of the evaluator; empty if nothing is. Raises what it raises."""
        positions = list(_positions())
        weights = [_weights(self._evaluator, field) for field in ("default", "minimum", "maximum")]
        compiled = _compiled(self._evaluator.evaluate)
        arguments = _arguments(positions[0], weights[0])
        compiled.compile(tuple(map(typeof, arguments)))
        if self._evaluator.at_least is not None:
            _compiled(self._evaluator.at_least).compile(tuple(map(typeof, (*arguments, 0))))
            get_ready(positions[0])
        _limit_time()
        returned = compiled.nopython_signatures[0].return_type
        if not isinstance(returned, types.Float | types.Integer):
            return f"evaluate must return a float, returns {returned}"
        for packed in positions:
            before = packed.game.tobytes(), packed.board.tobytes()
            values = [float(compiled(*_arguments(packed, each))) for each in weights]
            for value, each in zip(values, weights, strict=True):
                if not math.isfinite(value):
                    return f"evaluate returns {value} with weights {_shown(self._evaluator, each)}"
            if (packed.game.tobytes(), packed.board.tobytes()) != before:
                return "evaluate changes the game or the board that it is given"
            self._values.append(values[0])
            if reason := self._broken_promise(packed, compiled, weights):
                return reason
        return ""

    def _broken_promise(self, packed: Packed, evaluate: Any, weights: list[Any]) -> str:
        """What is wrong with its `at_least` on a position; empty if nothing is, or it has none."""
        if self._evaluator.at_least is None:
            return ""
        at_least = _compiled(self._evaluator.at_least)
        for each in weights:
            if reason := broken_promise(packed, each, evaluate, at_least):
                return f"{reason}, with weights {_shown(self._evaluator, each)}"
        return ""


@cache
def _compiled(function: Callable[..., float]) -> Any:
    """One of the evaluator's functions."""
    return njit(error_model="numpy")(function)


def _arguments(packed: Packed, weights: Any) -> tuple[Any, ...]:
    """What an evaluator is asked about the snake with."""
    return packed.game[0], packed.board[0], weights[0], SNAKE


def _weights(evaluator: Evaluator, field: str) -> Any:
    values = np.zeros(1, dtype=WEIGHTS_DTYPE)
    values["values"][0, : len(evaluator.weights)] = [getattr(weight, field) for weight in evaluator.weights]
    return values


def _shown(evaluator: Evaluator, weights: Any) -> str:
    return json.dumps(
        {weight.name: float(weights["values"][0, at]) for at, weight in enumerate(evaluator.weights)}
    )


def _limit_time() -> None:
    """Lets the process end when it computes for long from here on, also if nobody waits for it any more."""
    used = math.ceil(sum(os.times()[:2]))
    resource.setrlimit(resource.RLIMIT_CPU, (used + _SECONDS, resource.RLIM_INFINITY))


def _positions() -> Iterator[Packed]:
    """The benchmark's of that size, as each of their snakes sees them; hungry, and alone as well."""
    for position in map(position_in, bench_positions()):
        if SHAPE in shapes_for(position):
            for you in range(len(position.snakes)):
                snakes = position.snakes[you:] + position.snakes[:you]
                hungry = (replace(snakes[0], health=1), *snakes[1:])
                for chosen in (snakes, hungry, snakes[:1]):
                    yield pack(replace(position, snakes=chosen, you=0), SHAPE)
