"""Calls of compiled code: searches of one thread, evaluations of a position, and turns."""

import ctypes
import math
from collections.abc import Callable, Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from searcher.engine.live_board import LiveGame
from searcher.engine.position import Position
from searcher.engine.result import Limits, Result, Scores
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import WEIGHTS_DTYPE, Packed, Shape
from searcher.engine.search.clock import Clock
from searcher.engine.search.kernels import EvaluateFunction, evaluator_function
from searcher.engine.search.score import heuristic, to_unit
from searcher.engine.search.table import Table
from searcher.engine.search.threads import ThreadSetup, new_thread
from searcher.interface import (
    Evaluator,
    OnDepth,
    PlayedTurn,
    SnakeEvaluation,
    Strategy,
    Turn,
    WeightEffect,
)
from searcher.root_scores import kind_for
from searcher.strategies import SEARCHES, evaluators

TABLE_BYTES = 16 << 20
"""The size of the transposition table, in bytes."""

_EVALUATE = ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_void_p] * 3, ctypes.c_int64)
"""The type of a compiled evaluator. It releases the GIL, so an endless evaluator stops only its thread."""

# A call of the compiled function from Python would compile it.
_heuristic = heuristic.py_func


class SearchSession:
    """Runs searches one after another in one thread, and owns their memory."""

    def __init__(self) -> None:
        self._table = Table(TABLE_BYTES)

    def search(
        self,
        position: Position,
        strategy: Strategy,
        limits: Limits,
        clock: Clock,
        on_depth: OnDepth | None = None,
        shape: Shape | None = None,
    ) -> Result:
        """Search until a limit or the clock ends it, and call `on_depth` after each completed depth.

        `shape` is the shape of board to search with, by default the smallest that holds the position.
        """
        evaluator, algorithm = evaluators()[strategy.evaluator], SEARCHES[strategy.search]
        setup = ThreadSetup(
            algorithm.kernel,
            evaluator.evaluate,
            pack_weights(evaluator, strategy.weights),
            algorithm.reduces,
        )
        self._table.next_search()
        packed = pack(position, shape)
        helpers = clock.helpers if algorithm.deepening.takes_helpers else 0
        threads = [
            new_thread(position, packed, setup, limits, clock, self._table, number)
            for number in range(limits.threads + helpers)
        ]
        kind = kind_for(limits.scores, algorithm.deepening)
        uses_window = algorithm.uses_window and limits.scores is Scores.BEST
        return kind(position, threads, limits, clock, uses_window=uses_window).run(on_depth)


@cache
def _compiled(evaluate: EvaluateFunction, shape: Shape) -> Callable[[int, int, int, int], float]:
    return _EVALUATE(evaluator_function(evaluate, shape).address)


def pack_weights(evaluator: Evaluator, weights: Mapping[str, float]) -> NDArray[np.void]:
    """Return the record of an evaluator's weights. `weights` has all weights by name."""
    record = np.zeros(1, dtype=WEIGHTS_DTYPE)
    record["values"][0, : len(evaluator.weights)] = [weights[weight.name] for weight in evaluator.weights]
    return record


def evaluate(position: Position, strategy: Strategy, shape: Shape) -> tuple[SnakeEvaluation, ...]:
    """Return the evaluation of each snake of a position by the strategy's evaluator.

    `shape` is a shape of board that holds the position. Missing code for this shape is compiled.
    """
    evaluator, packed = evaluators()[strategy.evaluator], pack(position, shape)

    def value(snake: int, weights: Mapping[str, float]) -> float:
        return _value(evaluator, packed, snake, weights)

    return tuple(_evaluation(evaluator, strategy, snake, value) for snake in range(len(position.snakes)))


def _evaluation(
    evaluator: Evaluator,
    strategy: Strategy,
    snake: int,
    value: Callable[[int, Mapping[str, float]], float],
) -> SnakeEvaluation:
    effects = []
    for weight in evaluator.weights:
        replacement = weight.nearest_to_zero
        without = value(snake, {**strategy.weights, weight.name: replacement})
        effects.append(WeightEffect(weight.name, strategy.weights[weight.name], replacement, without))
    found = value(snake, strategy.weights)
    return SnakeEvaluation(_score(found), found, tuple(effects))


def _value(evaluator: Evaluator, packed: Packed, snake: int, weights: Mapping[str, float]) -> float:
    record = pack_weights(evaluator, weights)
    addresses = packed.game.ctypes.data, packed.board.ctypes.data, record.ctypes.data
    value = _compiled(evaluator.evaluate, packed.shape)(*addresses, snake)
    return value if math.isfinite(value) else _score(value)


def _score(value: float) -> float:
    """Return the score that a search gives to a value: within -1 and 1, and 0 if it is not a number."""
    return to_unit(_heuristic(value))


def play_turn(turn: Turn) -> PlayedTurn:
    """Play one turn. Food and hazards stay as they are, because only the map of a game changes them."""
    game = LiveGame(turn.position)
    deaths = game.play(turn.moves)
    return PlayedTurn(game.position, deaths, game.is_over(turn.position.ruleset.name == "solo"))
