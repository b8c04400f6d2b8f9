"""Joint moves: the moves of all snakes as one integer.

Each snake has two bits for its direction, lowest snake first. From bit STILL on, each snake has one bit that
is set if the snake stands still. The official rules don't allow that, but some search algorithms assume it.
"""

from collections.abc import Iterable

from searcher.engine.jit.decorator import njit
from searcher.engine.position import MAX_SNAKES, Direction

MOVE_BITS = 2
MOVE_MASK = 3

STILL = MOVE_BITS * MAX_SNAKES
"""The position of the lowest bit that marks a snake as standing still."""


@njit
def move_of(joint: int, snake: int) -> int:
    """Return the snake's direction in a joint move."""
    return (joint >> (MOVE_BITS * snake)) & MOVE_MASK


@njit
def move_bits(snake: int, move: int) -> int:
    """Return the bits of the snake's move in a joint move."""
    return move << (MOVE_BITS * snake)


@njit
def with_move(joint: int, snake: int, move: int) -> int:
    """Return the joint move in which the snake makes another move."""
    return joint & ~move_bits(snake, MOVE_MASK) | move_bits(snake, move)


@njit
def is_still(joint: int, snake: int) -> bool:
    """Return whether the snake stands still in a joint move."""
    return (joint >> (STILL + snake)) & 1 != 0


def joint_of(moves: Iterable[Direction | None]) -> int:
    """Return the joint move of the snakes' moves, in their order; None means that a snake stands still."""
    return sum(
        1 << STILL + index if move is None else int(move) << MOVE_BITS * index
        for index, move in enumerate(moves)
    )
