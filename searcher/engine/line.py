"""Reads a line of joint moves out of a tree."""

import numpy as np
from numpy.typing import NDArray

from searcher.engine import kernels
from searcher.engine.board import Packed
from searcher.engine.position import Direction
from searcher.engine.result import JointMove
from searcher.engine.rules import STILL


def read_line(packed: Packed, tree: NDArray[np.void], number: int = 0) -> tuple[JointMove, ...]:
    """A reply line, by default that of the last root move; None: has died, or stands still."""
    joints = tree["reply_line"][0, number, : int(tree["reply_length"][0, number])]
    board = packed.board.copy()
    return tuple(_play(packed, board, int(joint)) for joint in joints)


def _play(packed: Packed, board: NDArray[np.void], joint: int) -> JointMove:
    snakes = range(int(packed.game["snakes"][0]))
    moves = tuple(
        Direction(joint >> 2 * snake & 3)
        if board["length"][0, snake] and not joint >> STILL + snake & 1
        else None
        for snake in snakes
    )
    kernels.play_turn(packed.shape)(packed.game.ctypes.data, board.ctypes.data, joint)
    return moves
