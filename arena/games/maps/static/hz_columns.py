"""The official map "hz_columns": hazards on every cell whose column and row are odd."""

from arena.games.maps._food_and_starts import all_cells
from arena.games.maps.standard import set_up_with_hazards
from arena.records import Rules, Start


def set_up_board(rules: Rules, snakes: int, seed: int) -> Start:
    """Set up the board as on the map "standard", with the hazards."""
    hazards = [(x, y) for x, y in all_cells(rules.width, rules.height) if x % 2 and y % 2]
    return set_up_with_hazards(rules, snakes, seed, hazards)
