"""The official map "hz_castle_wall_xl": a wall of hazards around the middle of a 25x25 board."""

from itertools import product

from arena.games.maps.static._castle import Castle

_CASTLE = Castle(
    side=25,
    wall=frozenset({3, 4, 20, 21}),
    passages=frozenset({8, 12, 16}),
    starts=(tuple(product((1, 23), (5, 19))), tuple(product((5, 19), (1, 23)))),
    most_food=4,
)

SIZES = _CASTLE.sizes
set_up_board = _CASTLE.set_up_board
update_board = _CASTLE.update_board
