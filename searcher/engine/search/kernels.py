"""The compiled functions of a search, one for each shape of board.

Each is a C function, compiled on first use. Records pass as the addresses of their arrays. A search runs
without the GIL.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from searcher.engine.jit.function import FLOAT64, INT64, Function
from searcher.engine.rules.records import WEIGHTS_DTYPE, Game, Shape, board_dtype, game_dtype
from searcher.engine.rules.turn import turn_function
from searcher.engine.search.ordering import generate_moves
from searcher.engine.search.state import OwnState, State, state_dtype
from searcher.engine.search.table import key_of

SearchFunction = Callable[..., int]
"""(state, game, weights, ply, depth, move, alpha, beta) -> the score of a move, as `paranoid.min_node`."""

EvaluateFunction = Callable[..., float]
"""(game, board, weights, snake) -> the value of the board for the snake, from -1 to 1."""


@dataclass(frozen=True, slots=True)
class SearchKernel:
    """The search function of an algorithm, and its own state. The function calls itself by its address."""

    function: SearchFunction
    own_state: OwnState | None = None


_NUMBER, _RECORD = ctypes.c_int64, ctypes.c_void_p
_SEARCH = ctypes.CFUNCTYPE(_NUMBER, *[_RECORD] * 3, *[_NUMBER] * 5)
_ROOT = ctypes.PYFUNCTYPE(None, _RECORD, _RECORD)


@cache
def functions_of(shape: Shape, kernel: SearchKernel) -> tuple[Function, ...]:
    """Return all functions that a search of a position of this shape uses, except for the evaluation."""
    return turn_function(shape), _root_function(kernel, shape), search_function(kernel, shape)


@cache
def search_function(kernel: SearchKernel, shape: Shape) -> Function:
    """Return the search function, compiled for records of this shape."""
    records = state_dtype(shape, kernel.own_state), game_dtype(shape), WEIGHTS_DTYPE
    return Function(kernel.function, INT64, (*records, *[INT64] * 5))


@cache
def evaluator_function(evaluate: EvaluateFunction, shape: Shape) -> Function:
    """Return the evaluator as a search calls it."""
    return Function(evaluate, FLOAT64, (game_dtype(shape), board_dtype(shape), WEIGHTS_DTYPE, INT64))


@cache
def compiled_search(kernel: SearchKernel, shape: Shape) -> Callable[..., int]:
    """Return the search function as Python calls it, with the addresses of its records."""
    return _SEARCH(search_function(kernel, shape).address)


@cache
def prepare_root(kernel: SearchKernel, shape: Shape) -> Callable[[int, int], None]:
    """Return the function (game, state) that fills in the root's legal moves and its key in the table."""
    return _ROOT(_root_function(kernel, shape).address)


@cache
def _root_function(kernel: SearchKernel, shape: Shape) -> Function:
    return Function(_prepare_root, None, (game_dtype(shape), state_dtype(shape, kernel.own_state)))


def _prepare_root(game: Game, state: State) -> None:
    generate_moves(game, state, 0)
    state.keys[0] = key_of(state.boards[0])
