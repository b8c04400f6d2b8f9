"""Boards on which Python plays turns, one after another."""

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

from searcher.engine.position import Direction, Point, Position, Snake
from searcher.engine.rules.board import joint_of
from searcher.engine.rules.death_causes import Death, deaths
from searcher.engine.rules.packing import body_of, food_of, is_over, living, pack, set_hazards
from searcher.engine.rules.records import Packed, Shape, words_of
from searcher.engine.rules.turn import turn_function

_TURN = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
"""The type of a compiled turn. It keeps the GIL, because a switch to another thread would take longer."""


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
