"""The official map "empty": no food and no hazards appear."""

from arena.games.maps import BoardUpdate
from arena.games.maps._food_and_starts import rng_for, start_heads, start_with
from arena.records import Rules, Start
from searcher.engine.position import Position


def set_up_board(rules: Rules, snakes: int, seed: int) -> Start:
    """Place the snakes alone."""
    return start_with(start_heads(rules, snakes, rng_for(seed, "start")), food=())


def update_board(rules: Rules, position: Position, seed: int) -> BoardUpdate:
    """Change nothing."""
    return BoardUpdate()
