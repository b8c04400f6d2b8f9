"""Trials of evaluators in this process: each is compiled and run on fixed positions.

Array indices are checked in a trial. In a search the checks would cost too much. A faulty evaluator may end
the process, so searcher/trials/runner.py runs trials in a child process.
"""

import json
import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, product

import llvmlite.binding as llvm
import numpy as np
from numba import config, typeof, types
from numpy.typing import NDArray

from searcher.engine.jit.compiler import new_dispatcher
from searcher.engine.jit.emission import Compiled, Dispatcher, Type
from searcher.engine.jit.numba_internals import bitcode_of
from searcher.engine.position import MAX_HEALTH, Point, Position, Ruleset, Snake
from searcher.engine.rules.packing import living, pack
from searcher.engine.rules.records import SHAPES, WEIGHTS_DTYPE, Packed, Shape, shapes_for
from searcher.interface import Evaluator
from searcher.plugins.discovery import evaluator_fault, place_of
from searcher.plugins.faults import EvaluatorFault
from searcher.plugins.mistakes import kind_of, misused_set
from searcher.positions.bench import bench_positions
from searcher.positions.move_body import position_in
from searcher.trials.outcome import SHAPE, Notice, Step, TrialOutcome

SNAKE = 0
"""The snake whose values a warning is about."""

_DUELS = SHAPES[0]
"""A second shape. An index of a third snake is outside of its arrays."""

Begin = Callable[[Step], object]
"""Receives each step of a trial as it begins."""


def trial_of(evaluator: Evaluator, begin: Begin) -> TrialOutcome:
    """Try an evaluator, and return the outcome."""
    config.BOUNDSCHECK = 1
    return _Trial(evaluator, begin).run()


class _Trial:
    """The trial of one evaluator."""

    def __init__(self, evaluator: Evaluator, begin: Begin) -> None:
        self._evaluator = evaluator
        self._begin = begin
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
        self._begin(Step.COMPILE)
        positions = [list(positions_of(shape)) for shape in (SHAPE, _DUELS)]
        for of_shape in positions:
            evaluate = self._compile(of_shape[0])
        if reason := _find_type_error(evaluate.nopython_signatures[0].return_type):
            return reason
        if reason := self._find_forbidden_call():
            return reason
        self._begin(Step.EVALUATE)
        reasons = (self._find_value_error(packed, evaluate) for packed in chain(*positions))
        return next(filter(None, reasons), "")

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


_PYTHON = ("Py", "_Py", "numba_gil_")
"""The beginnings of the names of functions of Python, and of functions that wait for Python's lock."""

_PRINTING = frozenset({"PySys_FormatStdout", "PySys_WriteStdout"})

_ALLOCATING = ("NRT_MemInfo_alloc", "NRT_MemInfo_new", "numba_list_new", "numba_dict_new", "numba_set_new")
"""The beginnings of the names of functions that get memory. Exceptions use others of the same library."""

_RANDOM = ("numba_get_py_random", "numba_get_np_random", "numba_rnd_")


def external_calls(compiled: Compiled) -> Collection[str]:
    """Return the names of the functions outside of its own code that a function calls, directly or not.

    `compiled` is a result of Numba's compiler. Calls that the optimizer has removed are not listed, and
    neither is the code that builds the exceptions of the function.
    """
    module = llvm.parse_bitcode(bitcode_of(compiled))
    bodies = {function.name: function for function in module.functions if not function.is_declaration}
    found, left = set(), [str(compiled.fndesc.llvm_func_name)]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += _calls_in(bodies[name]) if name in bodies else ()
    return found - bodies.keys()


def _calls_in(function: llvm.ValueRef) -> Iterator[str]:
    for block in function.blocks:
        for instruction in block.instructions:
            if instruction.opcode == "call":
                *_, callee = instruction.operands
                yield callee.name


def forbidden_call(function: str, calls: Collection[str]) -> str:
    """Return the reason why a search can't run a function that makes these calls, or an empty string.

    A search runs compiled code in many threads, and Python code could run in only one of them at a time. If
    compiled code calls Python, searches wait for each other and for the event loop, or forever.
    """
    if not (python := sorted(name for name in calls if name.startswith(_PYTHON))):
        return ""
    if not _PRINTING.isdisjoint(calls):
        return f"{function} calls print, and a search can't run Python code; remove the call"
    example = next((name for name in python if name.startswith("PyObject_Call")), python[0])
    return f"{function} calls Python ({example}), and a search can't run Python code; remove objmode"


def doubtful_calls(calls: Collection[str]) -> Iterator[str]:
    """Yield what makes a search slow or not repeatable, as the end of a sentence about an evaluator."""
    if any(name.startswith(_ALLOCATING) for name in calls):
        yield (
            "allocates memory at each call, so it is slower, and each process compiles it again "
            "(the toolkit's cells and stack need no memory)"
        )
    if any(name.startswith(_RANDOM) for name in calls):
        yield "draws random numbers, so two searches of the same position differ"


_RULESETS = ("standard", "solo", "royale", "constrictor", "wrapped", "wrapped_constrictor")

_SIZES = (7, 11)
"""The sides of the boards, in cells."""

_LENGTHS = (17, 26, 40, 60, 90)
"""Lengths of long snakes. A snake of 121 parts fills a board of 11x11."""

_HAZARD_DAMAGE = 14
_SHRINK_EVERY = 25
_START_LENGTH = 3


def extreme_positions() -> Iterator[Position]:
    """Yield positions at the limits of the rules: long snakes, full boards and new snakes, in every ruleset.

    Recorded games have few of them, and an evaluator that fails there would fail in the middle of a game. At
    most 8 snakes are on at most 11x11 cells, and the first snake is to move.
    """
    for ruleset in map(_ruleset, _RULESETS):
        for size in _SIZES:
            path = _path(size)
            for lengths in _divisions(len(path), solo=ruleset.name == "solo"):
                yield _position(size, path, lengths, ruleset)
            yield _start(size, path, ruleset)


def _ruleset(name: str) -> Ruleset:
    return Ruleset(name, _HAZARD_DAMAGE, _SHRINK_EVERY if name == "royale" else 0)


def _divisions(cells: int, solo: bool) -> Iterator[tuple[int, ...]]:
    """Yield lengths of snakes that follow one another on a path of so many cells."""
    yield (cells,)
    yield from ((length,) for length in _LENGTHS if length < cells)
    if not solo:
        yield from ((length, length - 1) for length in _LENGTHS if 2 * length <= cells)
        yield from ((cells // count,) * count for count in (2, 4, 8))


def _path(size: int) -> list[Point]:
    """Return all cells of a board, each next to the one before it."""
    return [(x, y) for y in range(size) for x in (range(size) if y % 2 == 0 else reversed(range(size)))]


def _position(size: int, path: list[Point], lengths: tuple[int, ...], ruleset: Ruleset) -> Position:
    snakes, left = [], path
    for index, length in enumerate(lengths):
        body, left = left[:length], left[length:]
        snakes.append(Snake(f"s{index}", MAX_HEALTH - 30 * (index % 4), tuple(reversed(body))))
    food = () if ruleset.constrictor else tuple(left[1::7])
    return Position(size, size, tuple(snakes), food, _hazards(path, ruleset), 0, 300, ruleset)


def _start(size: int, path: list[Point], ruleset: Ruleset) -> Position:
    """Return a first turn: all parts of each snake are on one cell."""
    heads = [path[0]] if ruleset.name == "solo" else path[:: len(path) // 7][:8]
    snakes = tuple(
        Snake(f"s{index}", MAX_HEALTH, (head,) * _START_LENGTH) for index, head in enumerate(heads)
    )
    return Position(size, size, snakes, (), _hazards(path, ruleset), 0, 0, ruleset)


def _hazards(path: list[Point], ruleset: Ruleset) -> tuple[Point, ...]:
    """Return hazards for royale, some of them in several layers."""
    return (*path[::2], *path[::6], *path[::6]) if ruleset.name == "royale" else ()
