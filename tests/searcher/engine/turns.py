"""Calls of compiled functions on packed positions."""

import ctypes
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from searcher.engine.jit.function import INT64, Function
from searcher.engine.live_board import LiveBoard
from searcher.engine.position import Direction
from searcher.engine.rules.board import joint_of
from searcher.engine.rules.records import Packed, Shape, board_dtype, game_dtype


def play(packed: Packed, moves: Iterable[Direction | None]) -> Packed:
    """Return a copy with one turn played, in which None stands still; it shares the game and its rings."""
    board = LiveBoard(packed)
    board.play(joint_of(moves))
    return board.packed


def call(function: Callable[[Any, Any, int], int], packed: Packed, number: int = 0) -> int:
    """Call a function (game, board, number) -> int on a position, compiled for its shape."""
    result: int = _compiled(function, packed.shape)(packed.game.ctypes.data, packed.board.ctypes.data, number)
    return result


@cache
def _compiled(function: Callable[[Any, Any, int], int], shape: Shape) -> Callable[[int, int, int], int]:
    address = Function(function, INT64, (game_dtype(shape), board_dtype(shape), INT64)).address
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)(address)
