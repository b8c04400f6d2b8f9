"""A game's board, played on turn by turn by the engine's rules."""

from collections.abc import Mapping
from dataclasses import replace

from searcher.engine.position import Direction, Point, Position, Snake
from searcher.engine.rules.deaths import Death, deaths
from searcher.engine.rules.packing import body_of, food_of, joint_of, living, pack, set_hazards
from searcher.engine.rules.records import Packed, words_of
from searcher.engine.search import kernels


class LiveBoard:
    """A position that turns are played on, at most 60,000: the engine counts a body's places in 16 bits.

    Packing it once and for all saves a third of a millisecond a turn.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self._packed = pack_for_play(position)
        self._ids = [snake.id for snake in position.snakes]

    def play(self, moves: Mapping[str, Direction]) -> dict[str, Death]:
        """Moves every living snake, by its id, and returns who died of what.

        `by` of a death is an index into the snakes of the first position. What the map changes after a turn
        is for `change`.
        """
        packed = self._packed
        before = Packed(packed.shape, packed.game, packed.board.copy())
        # The engine does not look at the moves of the dead.
        joint = joint_of(moves.get(id_, Direction.UP) for id_ in self._ids)
        kernels.play_turn(packed.shape)(packed.game.ctypes.data, packed.board.ctypes.data, joint)
        alive = living(packed)
        fell = deaths(before, packed) if len(alive) < len(self.position.snakes) else {}
        snakes = tuple(
            Snake(self._ids[index], int(packed.board["health"][0, index]), body_of(packed, index))
            for index in alive
        )
        turn = self.position.turn + 1
        self.position = replace(self.position, snakes=snakes, food=food_of(packed), turn=turn, you=0)
        return {self._ids[index]: death for index, death in fell.items()}

    def change(self, food: tuple[Point, ...], hazards: tuple[Point, ...]) -> None:
        """Adds food, and makes these the hazards from now on."""
        if food:
            self._packed.board["food"][0] |= words_of(self._packed.shape, food)
        if hazards != self.position.hazards:
            set_hazards(self._packed.shape, self._packed.game[0], hazards)
        self.position = replace(self.position, food=self.position.food + food, hazards=hazards)


def pack_for_play(position: Position) -> Packed:
    """The records of a position for real turns: hazards change as the map says, not as a search expects."""
    return pack(replace(position, ruleset=replace(position.ruleset, shrink_every=0)))
