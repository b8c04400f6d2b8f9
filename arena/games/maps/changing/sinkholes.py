"""The official map "sinkholes": a round sinkhole in the middle grows, one layer over the other."""

from arena.games.maps import BoardUpdate
from arena.games.maps._food_and_starts import grow
from arena.records import Cell, Rules
from searcher.engine.position import Position

_DEFAULT_EVERY = 10
"""Turns between two layers if the rules don't set them."""

_LAYERS = {7: 3, 19: 7}
"""The number of layers by the width of the board."""

_OTHER_LAYERS = 5


def update_board(rules: Rules, position: Position, seed: int) -> BoardUpdate:
    """Add food, and the next layer of the sinkhole: first after turn 2, then every `shrink_every` turns."""
    radius, rest = divmod(position.turn - 2, rules.shrink_every or _DEFAULT_EVERY)
    if rest or not 0 <= radius < _LAYERS.get(rules.width, _OTHER_LAYERS):
        return grow(rules, position, seed, ())
    return grow(rules, position, seed, _disc((rules.width // 2, rules.height // 2), radius))


def _disc(centre: Cell, radius: int) -> list[Cell]:
    """Return a square around a centre without its corners."""
    reach = range(-radius, radius + 1)
    corners = {-radius, radius} if radius else {}
    cells = [(dx, dy) for dx in reach for dy in reach if not (dx in corners and dy in corners)]
    return [(centre[0] + dx, centre[1] + dy) for dx, dy in cells]
