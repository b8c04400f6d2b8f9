"""The official map "royale": food as on the map "standard", and hazards that close in from the sides."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from arena.games.maps import BoardUpdate
from arena.games.maps._placement import all_cells, new_food, rng_for
from arena.games.maps.standard import set_up_board as set_up_board
from arena.records import Cell, Rules
from searcher.engine.position import Position

_SIDES: tuple[tuple[int, Callable[[Iterable[int]], int]], ...] = ((0, min), (0, max), (1, min), (1, max))
"""The sides from which hazards close in: the axis (0 for x, 1 for y), and the function that picks its end."""


def update_board(rules: Rules, position: Position, seed: int) -> BoardUpdate:
    """Add food. Every `shrink_every` turns, hazards cover one side of the rectangle without hazards."""
    closed = _closed_side(rules, position, seed)
    return BoardUpdate(new_food(rules, position, seed), position.hazards + closed if closed else None)


def closing_hazards(rules: Rules, position: Position, seed: int) -> tuple[Cell, ...]:
    """Return all hazards after a turn by royale's rules. They allow hazards on closed sides only."""
    sides = _closed_sides(rules, position.hazards)
    return sides + _closed_side(rules, replace(position, hazards=sides), seed)


def _closed_sides(rules: Rules, hazards: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Return the hazards outside the smallest rectangle that contains all cells without hazards."""
    free = _free_cells(rules, hazards)
    if not free:
        return hazards
    (left, right), (low, high) = ((min(side), max(side)) for side in zip(*free, strict=True))
    return tuple((x, y) for x, y in hazards if not (left <= x <= right and low <= y <= high))


def _closed_side(rules: Rules, position: Position, seed: int) -> tuple[Cell, ...]:
    """Return the cells that become hazards after a turn."""
    if not rules.shrink_every or position.turn % rules.shrink_every:
        return ()
    free = _free_cells(rules, position.hazards)
    if not free:
        return ()
    axis, end = rng_for(seed, f"royale {position.turn}").choice(_SIDES)
    edge = end(cell[axis] for cell in free)
    return tuple(sorted(cell for cell in free if cell[axis] == edge))


def _free_cells(rules: Rules, hazards: Iterable[Cell]) -> set[Cell]:
    return set(all_cells(rules.width, rules.height)).difference(hazards)
