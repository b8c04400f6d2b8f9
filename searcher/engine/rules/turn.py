"""One turn of the official rules: the list of its stages, in the order of the official engine.

Compiled searches call `play`; Python plays turns on a `LiveBoard`.
"""

from functools import cache
from typing import Any

from searcher.engine.jit.decorator import njit
from searcher.engine.jit.function import INT64, Function
from searcher.engine.rules.records import Shape, board_dtype, game_dtype
from searcher.engine.rules.stages.constrictor import constrict
from searcher.engine.rules.stages.elimination import eliminate_snakes
from searcher.engine.rules.stages.feeding import feed_snakes
from searcher.engine.rules.stages.hazards import damage_by_hazards
from searcher.engine.rules.stages.health import reduce_health
from searcher.engine.rules.stages.movement import move_snakes
from searcher.engine.rules.stages.shrinking import count_turn
from searcher.engine.rules.stages.standing import resume, stand_still


@njit
def play(game: Any, board: Any, joint: int) -> None:
    """Play one turn in place: each living snake moves, or stands still, as the joint move says."""
    stand_still(game, board, joint)
    move_snakes(game, board, joint)
    reduce_health(game, board, joint)
    damage_by_hazards(game, board, joint)
    feed_snakes(game, board, joint)
    eliminate_snakes(game, board, joint)
    constrict(game, board, joint)
    count_turn(game, board, joint)
    resume(game, board, joint)


@cache
def turn_function(shape: Shape) -> Function:
    """Return the compiled turn for records of a shape: (game, board, joint) -> None."""
    return Function(_play_turn, None, (game_dtype(shape), board_dtype(shape), INT64))


def _play_turn(game: Any, board: Any, joint: int) -> None:
    play(game, board, joint)
