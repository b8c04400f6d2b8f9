"""One turn of a game by the engine's rules, from position to position."""

from collections.abc import Mapping
from dataclasses import replace

from searcher.engine import kernels
from searcher.engine.board import Packed
from searcher.engine.deaths import Death, deaths
from searcher.engine.packing import body_of, food_of, joint_of, living, pack
from searcher.engine.position import Direction, Position, Snake


def play_turn(position: Position, moves: Mapping[str, Direction]) -> tuple[Position, dict[str, Death]]:
    """The position after every snake made its move, by snake id, and who died of what.

    `by` of a death is an index into the snakes of the position before. Food and hazards of the map are not
    touched: see `maps`.
    """
    before = pack(position)
    after = Packed(before.shape, before.game.copy(), before.board.copy())
    joint = joint_of(moves[snake.id] for snake in position.snakes)
    kernels.play_turn(after.shape)(after.game.ctypes.data, after.board.ctypes.data, joint)
    alive = living(after)
    snakes = tuple(
        Snake(position.snakes[index].id, int(after.board["health"][0, index]), body_of(after, index))
        for index in alive
    )
    fell = {}
    if len(alive) < len(position.snakes):
        fell = {position.snakes[index].id: death for index, death in deaths(before, after).items()}
    return replace(position, snakes=snakes, food=food_of(after), turn=position.turn + 1, you=0), fell
