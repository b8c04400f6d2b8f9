"""The official map "hz_scatter": every other turn, one more random cell becomes a hazard."""

from arena.games.maps import BoardUpdate
from arena.games.maps._food_and_starts import all_cells, grow, rng_for
from arena.records import Cell, Rules
from searcher.engine.position import Position

_EVERY = 2
"""Turns between two new hazards."""


def update_board(rules: Rules, position: Position, seed: int) -> BoardUpdate:
    """Add food, and the next hazard."""
    number, rest = divmod(position.turn, _EVERY)
    return grow(rules, position, seed, () if rest else _order(rules, seed)[number - 1 : number])


def _order(rules: Rules, seed: int) -> list[Cell]:
    """Return all cells in the order in which they become hazards."""
    cells = all_cells(rules.width, rules.height)
    return rng_for(seed, "hazards").sample(cells, len(cells))
