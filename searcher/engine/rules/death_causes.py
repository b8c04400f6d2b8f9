"""Deaths and their causes, found by comparing the boards before and after a turn.

This is plain Python, because searches don't need it.
"""

from dataclasses import dataclass

import numpy as np

from battlesnake_search.contract.deaths import Cause
from searcher.engine.rules.board import has
from searcher.engine.rules.packing import ring_cells
from searcher.engine.rules.records import Packed

# A call of the compiled function from Python would compile it.
_has = has.py_func


@dataclass(frozen=True, slots=True)
class Death:
    """The cause of a death, and the index of the snake that caused it, or None without such a snake."""

    cause: Cause
    by: int | None


def deaths(before: Packed, after: Packed) -> dict[int, Death]:
    """Return the deaths of one turn, by the snake's index.

    `after` is a copy of `before` on which the turn was played. The hazards on the board do damage. Hazards
    that a search expects do none.
    """
    old, new = before.board[0], after.board[0]
    moved = [index for index in range(len(old["length"])) if old["length"][index]]
    causes = {index: cause for index in moved if (cause := _cause_before_collisions(before, new, index))}
    found = {index: Death(cause, None) for index, cause in causes.items()}
    colliding = [index for index in moved if index not in causes]
    for index in colliding:
        if not new["length"][index]:
            found[index] = _collision(after, colliding, index)
    return found


def _cause_before_collisions(before: Packed, new: np.void, index: int) -> Cause | None:
    """Return the cause of a death before collisions were resolved, or None if the snake was still alive."""
    game, head = before.game[0], int(new["head"][index])
    fed = _has(before.board[0]["food"], head)
    health = int(before.board[0]["health"][index]) - 1
    if _has(game["hazards"], head) and not fed:
        health -= int(game["damage"][0, head])
        if health <= 0:
            return Cause.HAZARD
    if health <= 0 and not fed:
        return Cause.HUNGER
    return Cause.WALL if head == before.shape.cells - 1 else None


def _collision(after: Packed, colliding: list[int], index: int) -> Death:
    """Return the death of a snake by a collision. `colliding` are the snakes that took part."""
    board = after.board[0]
    head = board["head"][index]
    if head in _neck_to_tail(after, index):
        return Death(Cause.SELF, index)
    others = sorted(
        (other for other in colliding if other != index), key=lambda other: -_length(board, other)
    )
    for other in others:
        if head in _neck_to_tail(after, other):
            return Death(Cause.BODY, other)
    killer = next((other for other in others if board["head"][other] == head), None)
    # Without a collision, a stage without a cause of its own took the rest of its health.
    return Death(Cause.HUNGER, None) if killer is None else Death(Cause.HEAD, killer)


def _neck_to_tail(after: Packed, index: int) -> list[int]:
    """Return the cells of a snake's body without its head."""
    board = after.board[0]
    tail_at, head_at = int(board["tail_at"][index]), int(board["head_at"][index])
    # If a snake of one cell has just eaten, its new part lies under its head.
    end = head_at + 1 if tail_at == head_at and board["grow"][index] else head_at
    return ring_cells(after, index, range(tail_at, end))


def _length(board: np.void, index: int) -> int:
    """Return the snake's length when collisions were resolved, by its places in the ring, even if it died."""
    return int(board["head_at"][index]) - int(board["tail_at"][index]) + 1 + int(board["grow"][index])
