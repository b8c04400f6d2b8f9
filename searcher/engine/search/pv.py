"""Reads a line of joint moves out of a tree."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from searcher.engine.position import Direction
from searcher.engine.result import JointMove
from searcher.engine.rules.records import Packed
from searcher.engine.rules.turn import STILL
from searcher.engine.search import kernels

_DIRECTIONS = tuple(Direction)


def read_line(packed: Packed, tree: NDArray[np.void], number: int = 0) -> tuple[JointMove, ...]:
    """A reply line, by default that of the last root move; None: has died, or stands still."""
    joints = tree["reply_line"][0, number, : int(tree["reply_length"][0, number])].tolist()
    board, snakes = packed.board.copy(), range(int(packed.game["snakes"][0]))
    play, addresses = kernels.play_turn(packed.shape), (packed.game.ctypes.data, board.ctypes.data)
    line = []
    for joint in joints:
        line.append(_moves_in(joint, board["length"][0].tolist(), snakes))
        play(*addresses, joint)
    return tuple(line)


def _moves_in(joint: int, lengths: Sequence[int], snakes: range) -> JointMove:
    """The moves of those that live."""
    return tuple(
        _DIRECTIONS[joint >> 2 * snake & 3] if lengths[snake] and not joint >> STILL + snake & 1 else None
        for snake in snakes
    )
