"""The compiled functions that Python calls, one set for each shape of board, made when first asked for.

Each is a C function: records pass as the addresses of their arrays. A search runs without the GIL; what is
done sooner than another thread could take it keeps it.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from numba import types

from searcher.engine.jit import code_cache
from searcher.engine.rules import turn
from searcher.engine.rules.records import WEIGHTS_DTYPE, Shape, board_dtype, game_dtype, record_type
from searcher.engine.search.ordering import find_legal_moves
from searcher.engine.search.table import key_of
from searcher.engine.search.thread_state import tree_dtype

SearchFunction = Callable[..., int]
"""A search: the score of one of my moves, as `paranoid.reply` promises it and with its parameters."""

EvaluateFunction = Callable[..., float]
"""An evaluator: (game, board, weights, snake) -> from -1 to 1."""

_NUMBER, _RECORD = ctypes.c_int64, ctypes.c_void_p
_REPLY = ctypes.CFUNCTYPE(_NUMBER, *[_RECORD] * 3, *[_NUMBER] * 5)
_STAGE = ctypes.PYFUNCTYPE(None, _RECORD, _RECORD, _NUMBER)


@dataclass(frozen=True)
class Function:
    """A Python function and the signature to compile it for."""

    source: Callable[..., Any]
    signature: Any

    @cached_property
    def address(self) -> int:
        """Where the compiled function is; compiles or loads it the first time."""
        return code_cache.address_of(self.source, self.signature)

    def is_cached(self) -> bool:
        """Whether it lies in the cache."""
        return code_cache.is_cached(self.source, self.signature)


@cache
def functions_of(shape: Shape, search: SearchFunction) -> tuple[Function, ...]:
    """All functions that a search of a position of this shape uses, save for its evaluator's."""
    return _turn(shape), _opener(shape), search_function(search, shape)


@cache
def search_function(search: SearchFunction, shape: Shape) -> Function:
    """The search; it also calls itself by this address."""
    records = _records(tree_dtype(shape), game_dtype(shape), WEIGHTS_DTYPE)
    return Function(search, types.int64(*records, *[types.int64] * 5))


@cache
def evaluator_function(evaluate: EvaluateFunction, shape: Shape) -> Function:
    """The evaluator, as a search calls it."""
    records = _records(game_dtype(shape), board_dtype(shape), WEIGHTS_DTYPE)
    return Function(evaluate, types.float64(*records, types.int64))


@cache
def bound_function(at_least: EvaluateFunction, shape: Shape) -> Function:
    """What an evaluator assures a move of, as a search calls it."""
    records = _records(game_dtype(shape), board_dtype(shape), WEIGHTS_DTYPE)
    return Function(at_least, types.float64(*records, types.int64, types.int64))


@cache
def reply(search: SearchFunction, shape: Shape) -> Callable[..., int]:
    """(tree, game, weights, ply, depth, move, alpha, beta) -> score, as the search promises it."""
    return _REPLY(search_function(search, shape).address)


@cache
def play_turn(shape: Shape) -> Callable[[int, int, int], None]:
    """(game, board, joint): plays one turn in place, as `turn.play`."""
    return _STAGE(_turn(shape).address)


@cache
def open_ply(shape: Shape) -> Callable[[int, int, int], None]:
    """(game, tree, ply): makes a ply ready to search from: every snake's legal moves, and the board's key."""
    return _STAGE(_opener(shape).address)


@cache
def _turn(shape: Shape) -> Function:
    return Function(_play_turn, types.void(*_records(game_dtype(shape), board_dtype(shape)), types.int64))


@cache
def _opener(shape: Shape) -> Function:
    return Function(_open_ply, types.void(*_records(game_dtype(shape), tree_dtype(shape)), types.int64))


def _records(*dtypes: Any) -> list[Any]:
    return [record_type(dtype) for dtype in dtypes]


def _play_turn(game: Any, board: Any, joint: int) -> None:
    turn.play(game, board, joint)


def _open_ply(game: Any, tree: Any, ply: int) -> None:
    find_legal_moves(game, tree, ply)
    tree.keys[ply] = key_of(tree.boards[ply])
