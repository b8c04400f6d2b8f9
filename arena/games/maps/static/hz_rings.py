"""The official map "hz_rings": every other ring of cells has hazards."""

from arena.games.maps._food_and_starts import frame
from arena.games.maps.standard import set_up_with_hazards
from arena.records import Cell, Rules, Start


def set_up_board(rules: Rules, snakes: int, seed: int) -> Start:
    """Set up the board as on the map "standard", with the hazards."""
    return set_up_with_hazards(rules, snakes, seed, _rings(rules))


def _rings(rules: Rules) -> list[Cell]:
    """Return the rings, outermost first. The middle of the board stays free."""
    insets = range(1, min(rules.width, rules.height) // 2 - 1, 2)
    return [cell for inset in insets for cell in frame(rules, inset)]
