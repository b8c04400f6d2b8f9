"""Joint moves: the moves of all snakes as one integer.

Two bits for each snake hold its direction, lowest snake first. From the bit STILL on, one bit for each snake
says that it stands still: the official rules let no snake do that, but some searches imagine it.
"""

from collections.abc import Iterable

from numba import njit

from searcher.engine.position import MAX_SNAKES, Direction

STILL = 2 * MAX_SNAKES
"""The first of the bits that say which snakes stand still."""


@njit
def move_of(joint: int, snake: int) -> int:
    """Return the snake's direction in a joint move."""
    return (joint >> (2 * snake)) & 3


@njit
def with_move(joint: int, snake: int, move: int) -> int:
    """Return the joint move in which the snake makes another move."""
    return joint & ~(3 << (2 * snake)) | move << (2 * snake)


@njit
def is_still(joint: int, snake: int) -> bool:
    """Return whether the snake stands still in a joint move."""
    return (joint >> (STILL + snake)) & 1 != 0


def joint_of(moves: Iterable[Direction | None]) -> int:
    """Return the joint move of the snakes' moves, in their order; None stands still."""
    return sum(
        1 << STILL + index if move is None else int(move) << 2 * index for index, move in enumerate(moves)
    )
