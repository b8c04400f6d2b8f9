"""The official map "hz_castle_wall_lg": a wall of hazards around the middle of a 19x19 board."""

from itertools import product

from arena.games.maps.static._castle import Castle

_CASTLE = Castle(
    side=19,
    wall=frozenset({2, 3, 15, 16}),
    passages=frozenset({8, 10}),
    starts=(tuple(product((1, 17), (1, 17))), ((1, 9), (9, 1), (9, 17), (17, 9))),
    most_food=2,
)

SIZES = _CASTLE.sizes
set_up_board = _CASTLE.set_up_board
update_board = _CASTLE.update_board
