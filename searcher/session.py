"""Calls of compiled code: searches of one thread, evaluations of a position, and turns."""

import ctypes
import math
from collections.abc import Callable, Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from searcher.engine.live_board import LiveGame
from searcher.engine.position import Direction, Position
from searcher.engine.result import Limits, Result, Scores
from searcher.engine.root.root_scores import deepening_for
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
    WeightEffect,
)
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
        kind = deepening_for(limits.scores, algorithm.deepening)
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
    packed = pack(position, shape)
    return tuple(_evaluation(packed, strategy, snake) for snake in range(len(position.snakes)))


def _evaluation(packed: Packed, strategy: Strategy, snake: int) -> SnakeEvaluation:
    evaluator = evaluators()[strategy.evaluator]
    compiled = _compiled(evaluator.evaluate, packed.shape)

    def value(weights: Mapping[str, float]) -> float:
        record = pack_weights(evaluator, weights)
        found = compiled(packed.game.ctypes.data, packed.board.ctypes.data, record.ctypes.data, snake)
        return found if math.isfinite(found) else _score(found)

    effects = []
    for weight in evaluator.weights:
        replacement = weight.nearest_to_zero
        without = value({**strategy.weights, weight.name: replacement})
        effects.append(WeightEffect(weight.name, strategy.weights[weight.name], replacement, without))
    found = value(strategy.weights)
    return SnakeEvaluation(_score(found), found, tuple(effects))


def _score(value: float) -> float:
    """Return the score that a search gives to a value: within -1 and 1, and 0 if it is not a number."""
    return to_unit(_heuristic(value))


def play_turn(position: Position, moves: Mapping[str, Direction]) -> PlayedTurn:
    """Play one turn with a move for each snake, by id.

    Food and hazards stay as they are, because only the map of a game changes them.
    """
    game = LiveGame(position)
    deaths = game.play(moves)
    return PlayedTurn(game.position, deaths, game.is_over(position.ruleset.name == "solo"))
