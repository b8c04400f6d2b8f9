"""The official map "royale": food as on the map "standard", and hazards that close in from the sides."""

from collections.abc import Callable, Iterable
from itertools import product

from arena.games.maps import BoardUpdate
from arena.games.maps._placement import all_cells, new_food, rng_for
from arena.games.maps.standard import set_up_board as set_up_board
from arena.records import Cell, Rules, Start
from searcher.engine.position import Position

_SIDES: tuple[tuple[int, Callable[[Iterable[int]], int]], ...] = ((0, min), (0, max), (1, min), (1, max))
"""The sides from which hazards close in: the axis (0 for x, 1 for y), and the function that picks its end."""


def update_board(rules: Rules, position: Position, seed: int) -> BoardUpdate:
    """Add food. Every `shrink_every` turns, hazards cover one side of the rectangle without hazards."""
    closed = _closed_side(rules, position, seed)
    return BoardUpdate(new_food(rules, position, seed), position.hazards + closed if closed else None)


def closed_cells(rules: Rules, start: Start | None, turn: int, seed: int) -> tuple[Cell, ...]:
    """Return all hazards after a turn by royale's rules: the cells of all sides that have closed until then.

    A game that began later than on turn 0 began with the sides that the hazards of its `start` have closed.
    """
    first, free = (0, set(all_cells(rules.width, rules.height)))
    if start is not None and start.turn:
        first, free = start.turn, _rectangle(_free_cells(rules, start.hazards))
    steps = (
        range(first // rules.shrink_every + 1, turn // rules.shrink_every + 1) if rules.shrink_every else ()
    )
    for step in steps:
        free -= _side(free, seed, step * rules.shrink_every)
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


def _rectangle(cells: set[Cell]) -> set[Cell]:
    """Return the smallest rectangle that contains all cells."""
    if not cells:
        return set()
    (left, right), (low, high) = ((min(side), max(side)) for side in zip(*cells, strict=True))
    return set(product(range(left, right + 1), range(low, high + 1)))


def _free_cells(rules: Rules, hazards: Iterable[Cell]) -> set[Cell]:
    return set(all_cells(rules.width, rules.height)).difference(hazards)
