"""Boards on which Python plays turns, one after another, and the causes of the deaths on each turn.

The causes are found by comparing the boards before and after a turn, in plain Python, because searches don't
need them.
"""

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from battlesnake_search.contract.deaths import Cause
from searcher.engine.position import Direction, Point, Position, Snake
from searcher.engine.rules.board import has, joint_of
from searcher.engine.rules.packing import (
    body_of,
    food_of,
    is_over,
    living,
    pack,
    ring_cells,
    set_hazards,
)
from searcher.engine.rules.records import Packed, Shape, words_of
from searcher.engine.rules.turn import turn_function

_TURN = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
"""The type of a compiled turn. It keeps the GIL, because a switch to another thread would take longer."""

# A call of the compiled function from Python would compile it.
_has = has.py_func


@dataclass(frozen=True, slots=True)
class Death:
    """The cause of a death, and the index of the snake that caused it, or None without such a snake."""

    cause: Cause
    by: int | None


@cache
def _compiled_turn(shape: Shape) -> Callable[[int, int, int], None]:
    return _TURN(turn_function(shape).address)


class LiveBoard:
    """Records of a position on which turns are played. The board is a copy. The game is shared.

    At most 60,000 turns can be played, because a place in a body's ring has 16 bits.
    """

    def __init__(self, packed: Packed) -> None:
        self.packed = Packed(packed.shape, packed.game, packed.board.copy())
        self._turn = _compiled_turn(packed.shape)
        self._addresses = self.packed.game.ctypes.data, self.packed.board.ctypes.data

    def play(self, joint: int) -> None:
        """Play one turn in place: the joint move of all snakes."""
        self._turn(*self._addresses, joint)

    @property
    def lengths(self) -> list[int]:
        """The length of each snake, 0 for the dead."""
        lengths: list[int] = self.packed.board["length"][0].tolist()
        return lengths


class LiveGame:
    """A game that is played turn by turn, with its position after each turn.

    Hazards change only through `change`. They don't close in as they do in a search. Only the first position
    is packed, because packing takes a third of a millisecond.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self._board = LiveBoard(_pack_for_play(position))
        self._ids = [snake.id for snake in position.snakes]

    def play(self, moves: Mapping[str, Direction]) -> dict[str, Death]:
        """Play the moves of all living snakes, by id. Return the deaths of the turn, by id.

        `by` of a death is an index into the snakes of the first position. Call `change` afterwards with the
        map's new food and hazards.
        """
        packed = self._board.packed
        before = Packed(packed.shape, packed.game, packed.board.copy())
        # The engine ignores the moves of the dead.
        self._board.play(joint_of(moves.get(id_, Direction.UP) for id_ in self._ids))
        alive = living(packed)
        fell = deaths(before, packed) if len(alive) < len(self.position.snakes) else {}
        snakes = tuple(
            Snake(self._ids[index], int(packed.board["health"][0, index]), body_of(packed, index))
            for index in alive
        )
        turn = self.position.turn + 1
        self.position = replace(self.position, snakes=snakes, food=food_of(packed), turn=turn, you=0)
        return {self._ids[index]: death for index, death in fell.items()}

    def is_over(self, solo: bool) -> bool:
        """Return whether the game has ended. A solo game continues with one snake."""
        return is_over(self._board.packed, solo)

    def change(self, food: tuple[Point, ...], hazards: tuple[Point, ...]) -> None:
        """Add food, and replace the hazards."""
        packed = self._board.packed
        if food:
            packed.board["food"][0] |= words_of(packed.shape, food)
        if hazards != self.position.hazards:
            set_hazards(packed.shape, packed.game[0], hazards)
        self.position = replace(self.position, food=self.position.food + food, hazards=hazards)


def _pack_for_play(position: Position) -> Packed:
    return pack(replace(position, ruleset=replace(position.ruleset, shrink_every=0, trails=False)))


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
    return Death(Cause.HEAD, next(other for other in others if board["head"][other] == head))


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
