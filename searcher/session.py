"""Calls of compiled code: searches of one thread, evaluations of a position, and turns.

A search for an analysis finds the scores of all root moves.
"""

import ctypes
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from searcher.engine.live_board import LiveGame
from searcher.engine.position import Direction, Position
from searcher.engine.result import (
    JointMove,
    Limits,
    OutcomeKind,
    Result,
    RootMove,
    ScoreKind,
    Scores,
    StopReason,
)
from searcher.engine.root.deepening import Deepening, RootScore, sort_best_first
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import WEIGHTS_DTYPE, Packed, Shape
from searcher.engine.search import score
from searcher.engine.search.clock import Clock
from searcher.engine.search.kernels import EvaluateFunction, evaluator_function
from searcher.engine.search.ply import read_pv
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
        kind = _kind_for(limits.scores, algorithm.deepening)
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


class ExactDeepening(Deepening):
    """Deepening that searches each root move with an open window, and all moves to the same depth.

    An analysis needs all scores. A search for a move proves only that the other moves are not better. This
    class changes such a search from outside, so both run the same code of the engine.

    The moves share the transposition table. Of an incomplete depth only proven scores are kept, because
    scores of different depths are not comparable.
    """

    def _search_depth(self, depth: int) -> StopReason | None:
        self._lines: dict[Direction, tuple[JointMove, ...]] = {}
        reason = super()._search_depth(depth)
        for each in self.moves:
            if each.depth == depth:
                each.pv = self._lines.get(each.move, each.pv)
        return reason

    def _score_move(self, move: Direction, depth: int, best: int, first: bool) -> int:
        value = self.thread.score(move, depth, *self._window())
        if not self.thread.stopped:
            self._lines[move] = read_pv(self.thread.packed, self.thread.state)
        return value

    def _window(self) -> tuple[int, int]:
        """Return the window of a root move's search."""
        return -score.INFINITE, score.INFINITE

    def _adopt_incomplete_depth(self, searched: list[RootScore], rest: list[RootScore]) -> None:
        proven = {each.move: each for each in searched if each.is_proven}
        self.moves = sort_best_first([proven.get(each.move, each) for each in self.moves])

    def _settled_reason(self) -> StopReason | None:
        reason = super()._settled_reason()
        return None if reason is StopReason.ONLY_MOVE else reason


class LossDeepening(ExactDeepening):
    """Deepening that asks only whether each root move is lost. Most positions that are not are cut off."""

    def result(self, reason: StopReason | None) -> Result:
        """Return the result so far. A move that is not lost has a draw's score, a lower bound."""
        result = super().result(reason)
        return replace(result, root_moves=tuple(map(_held, result.root_moves)))

    def _window(self) -> tuple[int, int]:
        return score.DRAW - 1, score.DRAW


def _held(each: RootMove) -> RootMove:
    if each.outcome is not None and each.outcome.kind is OutcomeKind.LOSS:
        return each
    return RootMove(each.move, score.to_unit(score.DRAW), each.depth, None, ScoreKind.LOWER_BOUND)


_kinds: dict[tuple[Scores, type[Deepening]], type[Deepening]] = {}


def _kind_for(scores: Scores, kind: type[Deepening]) -> type[Deepening]:
    """Return a kind of deepening that finds these scores."""
    if scores is Scores.BEST:
        return kind
    if (scores, kind) not in _kinds:
        asked = LossDeepening if scores is Scores.LOSSES else ExactDeepening
        _kinds[scores, kind] = type(f"{asked.__name__}Of{kind.__name__}", (asked, kind), {})
    return _kinds[scores, kind]
