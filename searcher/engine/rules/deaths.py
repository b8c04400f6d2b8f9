"""Why a snake died, in the official engine's words: told from the boards before and after the turn.

Plain Python, because nobody asks inside a search.
"""

from dataclasses import dataclass
from typing import Any

from searcher.engine.rules.records import RING, Packed

HAZARD = "hazard"
HUNGER = "out-of-health"
WALL = "wall-collision"
SELF = "snake-self-collision"
BODY = "snake-collision"
HEAD = "head-collision"


@dataclass(frozen=True, slots=True)
class Death:
    """The cause, and the index of the snake that did it; None where nobody did."""

    cause: str
    by: int | None


def deaths(before: Packed, after: Packed) -> dict[int, Death]:
    """The deaths of one turn, by the snake's index. `after` is a copy of `before` with the turn played.

    Hazards are taken as they lie, not as a search expects them to close in.
    """
    old, new = before.board[0], after.board[0]
    moved = [index for index in range(len(old["length"])) if old["length"][index]]
    first = {index: cause for index in moved if (cause := _first_cause(before, new, index))}
    found = {index: Death(cause, None) for index, cause in first.items()}
    colliding = [index for index in moved if index not in first]
    for index in colliding:
        if not new["length"][index]:
            found[index] = _collision(after, colliding, index)
    return found


def _first_cause(before: Packed, new: Any, index: int) -> str | None:
    """What took the snake before collisions were looked at, if anything did."""
    game, head = before.game[0], int(new["head"][index])
    fed = _has(before.board[0]["food"], head)
    health = int(before.board[0]["health"][index]) - 1
    if _has(game["hazards"], head) and not fed:
        health -= int(game["damage"][0, head])
        if health <= 0:
            return HAZARD
    if health <= 0 and not fed:
        return HUNGER
    return WALL if head == before.shape.cells - 1 else None


def _collision(after: Packed, colliding: list[int], index: int) -> Death:
    board = after.board[0]
    head = board["head"][index]
    if head in _neck_to_tail(after, index):
        return Death(SELF, index)
    others = sorted(
        (other for other in colliding if other != index), key=lambda other: -_length(board, other)
    )
    for other in others:
        if head in _neck_to_tail(after, other):
            return Death(BODY, other)
    killers = (other for other in others if board["head"][other] == head)
    return Death(HEAD, next(killers))


def _neck_to_tail(after: Packed, index: int) -> list[int]:
    board, ring = after.board[0], after.game[0]["ring"][index]
    tail_at, head_at = int(board["tail_at"][index]), int(board["head_at"][index])
    # Of a snake of one cell that has just eaten, the new part lies under the head.
    end = head_at + 1 if tail_at == head_at and board["grow"][index] else head_at
    return [int(ring[place % RING]) for place in range(tail_at, end)]


def _length(board: Any, index: int) -> int:
    """The length when collisions were looked at; the dead keep the places of their bodies."""
    return int(board["head_at"][index]) - int(board["tail_at"][index]) + 1 + int(board["grow"][index])


def _has(words: Any, cell: int) -> bool:
    return bool(int(words[cell >> 6]) >> (cell & 63) & 1)
