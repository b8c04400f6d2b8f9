"""The official map "hz_expand_scatter": rings of hazards around a random cell fill up cell by cell."""

from arena.games.maps import BoardUpdate
from arena.games.maps._food_and_starts import grow, on_board, random_centre, rings, rng_for
from arena.records import Cell, Rules
from searcher.engine.position import Position

_EVERY = 2
"""Turns between two new hazards. The first hazard appears after turn 1."""


def update_board(rules: Rules, position: Position, seed: int) -> BoardUpdate:
    """Add food, and the next hazard."""
    number, rest = divmod(position.turn, _EVERY)
    return grow(rules, position, seed, _order(rules, seed)[number : number + 1] if rest else ())


def _order(rules: Rules, seed: int) -> list[Cell]:
    """Return all cells in the order in which they become hazards."""
    rng = rng_for(seed, "hazards")
    centre = random_centre(rules, 1, rng)
    around = [on_board(ring, rules) for ring in rings(centre, rules)]
    return [centre, *(cell for ring in around for cell in rng.sample(ring, len(ring)))]
