"""The official map "hz_hazard_pits": a grid of pits that fill up in layers, stay full, and then drain."""

from arena.games.maps import BoardUpdate
from arena.games.maps._food_and_starts import all_cells, new_food, rng_for, start_food, start_with
from arena.records import Rules, Start
from searcher.engine.position import Position

_STARTS = ((1, 1), (9, 1), (1, 9), (9, 9))
"""Where snakes start. These cells have no pits."""

_PERIODS = 7
"""The hazards repeat after this number of periods of `shrink_every` turns. The first period has none."""

_MOST_LAYERS = 4

SIZES = ((11, 11),)
MOST_SNAKES = len(_STARTS)


def set_up_board(rules: Rules, snakes: int, seed: int) -> Start:
    """Place the snakes in the corners, and food as on the map "standard"."""
    rng = rng_for(seed, "start")
    heads = rng.sample(_STARTS, snakes)
    return start_with(heads, start_food(rules, heads, rng))


def update_board(rules: Rules, position: Position, seed: int) -> BoardUpdate:
    """Add food, and change the layers of all pits at the end of a period."""
    food = new_food(rules, position, seed)
    if not rules.shrink_every or (position.turn - 1) % rules.shrink_every:
        return BoardUpdate(food)
    layers = min((position.turn - 1) // rules.shrink_every % _PERIODS, _MOST_LAYERS)
    odd = [(x, y) for x, y in all_cells(rules.width, rules.height) if x % 2 and y % 2]
    return BoardUpdate(food, tuple(cell for cell in odd if cell not in _STARTS) * layers)
