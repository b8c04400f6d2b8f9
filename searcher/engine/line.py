"""Reads a line of joint moves out of a tree."""

import numpy as np
from numpy.typing import NDArray

from searcher.engine import kernels
from searcher.engine.board import Packed
from searcher.engine.position import Direction
from searcher.engine.result import JointMove
from searcher.engine.rules import STILL


def read_line(packed: Packed, tree: NDArray[np.void]) -> tuple[JointMove, ...]:
    """The best line below the root move that was looked at last; None: has died, or stands still."""
    joints = tree["reply_line"][0, 0, : int(tree["reply_length"][0, 0])]
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
