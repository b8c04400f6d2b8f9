"""The official map "royale": food as on the map "standard", and hazards that close in from the sides."""

from collections.abc import Callable, Iterable

from arena.games.maps import BoardUpdate
from arena.games.maps._placement import all_cells, new_food, rng_for
from arena.games.maps.standard import set_up_board as set_up_board
from arena.records.model import Cell, Rules
from searcher.engine.position import Position

_SIDES: tuple[tuple[int, Callable[[Iterable[int]], int]], ...] = ((0, min), (0, max), (1, min), (1, max))
"""The sides that hazards close in from: the axis, and which end of it."""


def update_board(rules: Rules, position: Position, seed: int) -> BoardUpdate:
    """Add food, and every `shrink_every` turns turn a side of the rectangle without hazards into hazards."""
    closed = _closed_side(rules, position, seed)
    return BoardUpdate(new_food(rules, position, seed), position.hazards + closed if closed else None)


def _closed_side(rules: Rules, position: Position, seed: int) -> tuple[Cell, ...]:
    """Return the cells that become hazards after a turn."""
    if not rules.shrink_every or position.turn % rules.shrink_every:
        return ()
    free = set(all_cells(rules.width, rules.height)) - set(position.hazards)
    if not free:
        return ()
    axis, end = rng_for(seed, f"royale {position.turn}").choice(_SIDES)
    edge = end(cell[axis] for cell in free)
    return tuple(sorted(cell for cell in free if cell[axis] == edge))
