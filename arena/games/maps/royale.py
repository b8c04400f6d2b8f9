"""The official map "royale": food as on the map "standard", and hazards that close in from the sides."""

from collections.abc import Callable, Iterable

from arena.games.maps import BoardUpdate
from arena.games.maps._food_and_starts import all_cells, new_food, rng_for
from arena.records import Cell, Rules
from searcher.engine.position import Position

_SIDES: tuple[tuple[int, Callable[[Iterable[int]], int]], ...] = ((0, min), (0, max), (1, min), (1, max))
"""The sides from which hazards close in: the axis (0 for x, 1 for y), and the function that picks its end."""


def update_board(rules: Rules, position: Position, seed: int) -> BoardUpdate:
    """Add food. Every `shrink_every` turns, hazards cover one side of the rectangle without hazards."""
    closed = _closed_side(rules, position, seed)
    return BoardUpdate(new_food(rules, position, seed), position.hazards + closed if closed else None)


def closed_cells(rules: Rules, turn: int, seed: int) -> tuple[Cell, ...]:
    """Return all hazards after a turn by royale's rules: the cells of all sides that have closed."""
    free = set(all_cells(rules.width, rules.height))
    for closing in range(rules.shrink_every, turn + 1, rules.shrink_every) if rules.shrink_every else ():
        free -= _side(free, seed, closing)
    return tuple(cell for cell in all_cells(rules.width, rules.height) if cell not in free)


def _closed_side(rules: Rules, position: Position, seed: int) -> tuple[Cell, ...]:
    """Return the cells that become hazards after a turn."""
    if not rules.shrink_every or position.turn % rules.shrink_every:
        return ()
    return tuple(sorted(_side(_free_cells(rules, position.hazards), seed, position.turn)))


def _side(free: set[Cell], seed: int, turn: int) -> set[Cell]:
    """Return the cells of the side that closes after a turn; none of no cells."""
    if not free:
        return set()
    axis, end = rng_for(seed, f"royale {turn}").choice(_SIDES)
    edge = end(cell[axis] for cell in free)
    return {cell for cell in free if cell[axis] == edge}


def _free_cells(rules: Rules, hazards: Iterable[Cell]) -> set[Cell]:
    return set(all_cells(rules.width, rules.height)).difference(hazards)
