"""The official map "hz_inner_wall": a wall of hazards one cell away from the edge."""

import msgspec

from arena.games.maps import standard
from arena.games.maps._food_and_starts import frame
from arena.games.maps.standard import update_board as update_board
from arena.records import Rules, Start


def set_up_board(rules: Rules, snakes: int, seed: int) -> Start:
    """Set up the board as on the map "standard", with the hazards."""
    hazards = frame(rules, 1)
    return msgspec.structs.replace(standard.set_up_board(rules, snakes, seed), hazards=tuple(hazards))
