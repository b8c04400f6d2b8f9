"""The compiled functions of a search, one for each shape of board, and their record.

Each is a C function, compiled on first use. Records pass as the addresses of their arrays. A search runs
without the GIL.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from searcher.engine.jit.function import FLOAT64, INT64, Function
from searcher.engine.rules.records import WEIGHTS_DTYPE, Shape, board_dtype, game_dtype
from searcher.engine.rules.turn import turn_function
from searcher.engine.search.ordering import generate_moves
from searcher.engine.search.table import key_of

MAX_DEPTH = 120
"""The deepest search, in turns."""

OwnState = Callable[[Shape], "np.dtype[np.void]"]
"""A function from a shape of board to the record of an algorithm's state besides the shared state."""


@cache
def state_dtype(shape: Shape, own: OwnState | None = None) -> np.dtype[np.void]:
    """Return the record of a search thread: a stack of boards, one for each ply, and its experience.

    All algorithms share these fields. The field `own` is an algorithm's own record, if it has one.

    boards: by ply, the root's first. legal: by ply and snake, moves as bits. pv, pv_length: by ply, the joint
    moves of the principal variation from there, and their number. reply_pv, reply_pv_length: the best line,
    and its length, below my move whose replies are being searched. history: by snake, cell of its head and
    direction, the cutoffs that the move caused, weighted by depth. killer: by ply and my move, the reply that
    last refuted it, as a joint move or as the algorithm's number for it. order, choices: by ply and snake,
    its moves in the order of the search, and their number. odometer: by ply and snake, the index of its move
    in the reply being searched. far: by ply, the snakes, as bits, with only one move to search. keys: by ply,
    the board's key in the transposition table, once it is a max node. reduces: whether moves that seldom
    matter get a smaller depth. reverse_late_moves: whether late moves are searched in the reverse order.
    helper: the number of a thread that may have to end before the others, from 1, otherwise 0. you: the index
    of my snake. contested: whether my snake had opponents at the root, so that it can win. nodes,
    node_limit: the counted and the allowed nodes. evaluations, table_hits: their numbers so far. poll_at: the
    node at which to read the clock next. stopped: whether to unwind. search, evaluator, clock, table, filter:
    addresses. now: the last reading of the clock, in
    seconds and nanoseconds. table_mask: the number of lines of the table less one. generation: this search's
    generation in the table.
    """
    plies = MAX_DEPTH + 1
    fields: list[Any] = [
        # `own` comes first: Numba would take a record that only continues another one for its subtype.
        *([] if own is None else [("own", own(shape))]),
        ("boards", board_dtype(shape), (plies,)),
        ("legal", np.uint8, (plies, shape.snakes)),
        ("pv", np.uint32, (plies + 1, plies + 1)),
        ("pv_length", np.int64, (plies + 1,)),
        ("reply_pv", np.uint32, (plies + 1, plies + 1)),
        ("reply_pv_length", np.int64, (plies + 1,)),
        ("history", np.int32, (shape.snakes, shape.cells, 4)),
        ("killer", np.int64, (plies, 4)),
        ("order", np.uint8, (plies, shape.snakes, 4)),
        ("choices", np.uint8, (plies, shape.snakes)),
        ("odometer", np.uint8, (plies, shape.snakes)),
        ("far", np.int64, (plies,)),
        ("keys", np.uint64, (plies,)),
        *_SCALARS,
    ]
    return np.dtype(fields, align=True)


_SCALARS: list[Any] = [
    ("reduces", np.int64),
    ("reverse_late_moves", np.int64),
    ("helper", np.int64),
    ("you", np.int64),
    ("contested", np.int64),
    ("nodes", np.int64),
    ("evaluations", np.int64),
    ("table_hits", np.int64),
    ("node_limit", np.int64),
    ("poll_at", np.int64),
    ("stopped", np.int64),
    ("search", np.uint64),
    ("evaluator", np.uint64),
    ("clock", np.uint64),
    ("now", np.int64, (2,)),
    ("table", np.uint64),
    ("table_mask", np.uint64),
    ("filter", np.uint64),
    ("generation", np.uint64),
]


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


def _prepare_root(game: Any, state: Any) -> None:
    generate_moves(game, state, 0)
    state.keys[0] = key_of(state.boards[0])
