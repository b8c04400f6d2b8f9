"""The time that an evaluation takes, measured as a search runs it: without checks of indices."""

import ctypes
import time
from collections.abc import Callable
from functools import cache
from statistics import median

import numpy as np
from numpy.typing import NDArray

from searcher.engine.jit import intrinsics
from searcher.engine.jit.function import FLOAT64, INT64, Function
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import (
    WEIGHTS_DTYPE,
    Board,
    Game,
    Packed,
    Weights,
    board_dtype,
    game_dtype,
    shapes_for,
)
from searcher.engine.search.kernels import evaluator_function
from searcher.interface import Evaluator
from searcher.positions.bench import bench_positions
from searcher.positions.move_body import position_in
from searcher.session import pack_weights
from searcher.trials.outcome import SHAPE

_LEAST_TIME = 0.001
"""Seconds of a measurement on one position. The clock and the call from Python take far less."""

_REPETITIONS = 3
"""Measurements on one position. The fastest counts, because other programs can only add time."""

_LOOP = ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_void_p] * 3, ctypes.c_uint64, ctypes.c_int64)


def nanoseconds_of(evaluator: Evaluator) -> float:
    """Return the median time of an evaluation of the benchmark's positions. Missing code is compiled."""
    positions = [
        pack(position, SHAPE)
        for position in map(position_in, bench_positions())
        if SHAPE in shapes_for(position)
    ]
    address = evaluator_function(evaluator.evaluate, SHAPE).address
    weights = pack_weights(evaluator, {weight.name: weight.default for weight in evaluator.weights})
    return median(_nanoseconds(packed, weights, address) for packed in positions)


def _nanoseconds(packed: Packed, weights: NDArray[np.void], address: int) -> float:
    """Return the time of an evaluation of one position."""
    records = packed.game.ctypes.data, packed.board.ctypes.data, weights.ctypes.data

    def seconds(count: int) -> float:
        begin = time.perf_counter()
        _loop()(*records, address, count)
        return time.perf_counter() - begin

    count = 1
    while seconds(count) < _LEAST_TIME:
        count *= 4
    return min(seconds(count) for _ in range(_REPETITIONS)) / count * 1e9


@cache
def _loop() -> Callable[..., float]:
    records = game_dtype(SHAPE), board_dtype(SHAPE), WEIGHTS_DTYPE
    return _LOOP(Function(_evaluate_often, FLOAT64, (*records, np.dtype(np.uint64), INT64)).address)


def _evaluate_often(game: Game, board: Board, weights: Weights, address: int, count: int) -> float:
    total = 0.0
    for _ in range(count):
        total += intrinsics.call_evaluator(address, game, board, weights, 0)
    return total
