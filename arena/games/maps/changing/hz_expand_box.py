"""The official map "hz_expand_box": hazards grow around a random cell, ring by ring."""

from arena.games.maps import BoardUpdate
from arena.games.maps._food_and_starts import grow, random_centre, ring, rng_for
from arena.records import Rules
from searcher.engine.position import Position

_EVERY = 20
"""Turns between two steps. The first step is after turn 1."""


def update_board(rules: Rules, position: Position, seed: int) -> BoardUpdate:
    """Add food, and the next hazards: first the cell in the middle, then ring after ring."""
    distance, rest = divmod(position.turn, _EVERY)
    if rest != 1:
        return grow(rules, position, seed, ())
    centre = random_centre(rules, 2, rng_for(seed, "hazards"))
    return grow(rules, position, seed, ring(centre, distance) if distance else [centre])
