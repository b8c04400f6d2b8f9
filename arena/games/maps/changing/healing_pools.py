"""The official map "healing_pools": a few hazards that vanish one by one. They are meant to heal."""

from arena.games.maps import BoardUpdate
from arena.games.maps._food_and_starts import new_food, rng_for
from arena.games.maps.standard import set_up_with_hazards
from arena.records import Cell, Rules, Start
from searcher.engine.position import Position

_POOLS: dict[int, tuple[tuple[Cell, ...], ...]] = {
    11: (((3, 3), (7, 7)), ((3, 7), (7, 3)), ((3, 5), (7, 5)), ((5, 7), (5, 3))),
    7: (((3, 3),),),
    19: (((5, 5), (13, 13), (5, 13), (13, 5)), ((5, 10), (13, 10), (10, 13), (10, 5))),
}
"""By the side of the board, the sets of pools of which a game has one."""

SIZES = tuple((side, side) for side in _POOLS)


def set_up_board(rules: Rules, snakes: int, seed: int) -> Start:
    """Set up the board as on the map "standard", with one of the sets of pools."""
    pools = rng_for(seed, "pools").choice(_POOLS[rules.width])
    return set_up_with_hazards(rules, snakes, seed, pools)


def update_board(rules: Rules, position: Position, seed: int) -> BoardUpdate:
    """Add food, and remove a random pool every `shrink_every` turns."""
    food, pools = new_food(rules, position, seed), position.hazards
    turns = position.turn - 1
    if not pools or turns < 1 or not rules.shrink_every or turns % rules.shrink_every:
        return BoardUpdate(food)
    gone = rng_for(seed, f"pools {position.turn}").choice(pools)
    return BoardUpdate(food, tuple(pool for pool in pools if pool != gone))
