"""The official map "hz_inner_wall": a wall of hazards one cell away from the edge."""

from arena.games.maps._food_and_starts import frame
from arena.games.maps.standard import set_up_with_hazards
from arena.records import Rules, Start


def set_up_board(rules: Rules, snakes: int, seed: int) -> Start:
    """Set up the board as on the map "standard", with the hazards."""
    return set_up_with_hazards(rules, snakes, seed, frame(rules, 1))
