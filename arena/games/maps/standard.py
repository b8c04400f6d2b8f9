"""The official map "standard": food by the common rules of `_food_and_starts`, and no hazards."""

from collections.abc import Iterable

import msgspec

from arena.games.maps import BoardUpdate
from arena.games.maps._food_and_starts import new_food, rng_for, start_food, start_heads, start_with
from arena.records import Cell, Rules, Start
from searcher.engine.position import Position


def set_up_board(rules: Rules, snakes: int, seed: int) -> Start:
    """Place the snakes and their first food."""
    rng = rng_for(seed, "start")
    heads = start_heads(rules, snakes, rng)
    return start_with(heads, start_food(rules, heads, rng))


def set_up_with_hazards(rules: Rules, snakes: int, seed: int, hazards: Iterable[Cell]) -> Start:
    """Place the snakes and their first food on a board with hazards."""
    return msgspec.structs.replace(set_up_board(rules, snakes, seed), hazards=tuple(hazards))


def update_board(rules: Rules, position: Position, seed: int) -> BoardUpdate:
    """Add food."""
    return BoardUpdate(food=new_food(rules, position, seed))
