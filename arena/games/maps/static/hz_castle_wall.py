"""The official map "hz_castle_wall": a wall of hazards around the middle of a 11x11 board."""

from itertools import product

from arena.games.maps.static._castle import Castle

_CASTLE = Castle(
    side=11,
    wall=frozenset({2, 8}),
    passages=frozenset({5}),
    starts=(tuple(product((1, 9), (1, 9))), ((1, 5), (5, 1), (5, 9), (9, 5))),
    most_food=2,
)

SIZES = _CASTLE.sizes
set_up_board = _CASTLE.set_up_board
update_board = _CASTLE.update_board
